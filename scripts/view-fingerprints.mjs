// Writes `projections/fingerprints.ts`: a digest of each view's code, which is what its file declares and everything that
// the declaration reaches in other files. A generation records it, so that a build can check whether its code is the same.
// A part of the build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const FOLDER = 'projections';
const OUTPUT = `${FOLDER}/fingerprints.ts`;

/**
 * A file as it runs: no types, no comments.
 * @returns what it declares, imports and exports at its top level, by name; `others`: further statements, which run
 *   with any of its declarations
 */
const moduleOf = (text) => {
  const compilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    removeComments: true,
  };
  const { outputText } = ts.transpileModule(text, { compilerOptions });
  const source = ts.createSourceFile('', outputText, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const declared = new Map();
  const imported = new Map();
  const exported = new Map();
  const others = [];
  const isExported = (statement) =>
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  const declare = (name, node, statement) => {
    declared.set(name, node);
    if (isExported(statement)) exported.set(name, { name });
  };
  const bindings = (name) =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((element) => (element.name ? bindings(element.name) : []));
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = statement.moduleSpecifier.text;
      const { name, namedBindings } = statement.importClause ?? {};
      if (name) imported.set(name.text, { from, name: 'default' });
      if (namedBindings && ts.isNamespaceImport(namedBindings))
        imported.set(namedBindings.name.text, { from, name: '*' });
      else
        for (const one of namedBindings?.elements ?? [])
          imported.set(one.name.text, { from, name: (one.propertyName ?? one.name).text });
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier?.text;
      for (const one of statement.exportClause?.elements ?? [])
        exported.set(one.name.text, { from, name: (one.propertyName ?? one.name).text });
    } else if (ts.isVariableStatement(statement)) {
      for (const one of statement.declarationList.declarations)
        for (const name of bindings(one.name)) declare(name, one, statement);
    } else if (statement.name) declare(statement.name.text, statement, statement);
    else others.push(statement);
  }
  return { declared, imported, exported, others };
};

/** Whether an identifier names a property, not a variable. */
const isProperty = (identifier) => {
  const { parent } = identifier;
  const hasName =
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent);
  return hasName && parent.name === identifier;
};

const identifiersIn = (node) => {
  const found = new Set();
  const visit = (one) => {
    if (ts.isIdentifier(one) && !isProperty(one)) found.add(one.text);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
};

/** The text of everything that runs when a top-level declaration does, by file and name; of packages the names alone. */
const reachedFrom = (load, path, name) => {
  const texts = new Map();
  const reachImported = (at, { from, name: wanted }) => {
    if (!from.startsWith('.')) return texts.set(`${from} ${wanted}`, '');
    const file = posix.join(dirname(at), from).replace(/\.js$/, '.ts');
    if (file === OUTPUT) return texts;
    const names = wanted === '*' ? [...load(file).exported.keys()] : [wanted];
    for (const one of names) {
      const { from: further, name: local } = load(file).exported.get(one) ?? { name: one };
      if (further === undefined) reach(file, local);
      else reachImported(file, { from: further, name: local });
    }
    return texts;
  };
  const reachNode = (at, key, node) => {
    if (texts.has(key)) return;
    texts.set(key, node.getText());
    const { declared, imported } = load(at);
    for (const one of identifiersIn(node)) {
      if (declared.has(one)) reach(at, one);
      else if (imported.has(one)) reachImported(at, imported.get(one));
    }
  };
  const reach = (at, one) => {
    const { declared, imported, others } = load(at);
    if (imported.has(one)) {
      reachImported(at, imported.get(one));
      return;
    }
    const node = declared.get(one);
    if (!node) throw new Error(`${at} declares no ${one}, which a view uses.`);
    reachNode(at, `${at} ${one}`, node);
    for (const [index, other] of others.entries()) reachNode(at, `${at} ${index}`, other);
  };
  reach(path, name);
  return texts;
};

/** The view that a declaration makes, as `name version`; `null`: it makes none. */
const viewMadeBy = (node) => {
  const call = node.initializer;
  if (!call || !ts.isCallExpression(call) || !/^defineView\b/.test(call.getText())) return null;
  const [declaration] = call.arguments;
  const valueOf = (wanted) =>
    declaration.properties.find(({ name }) => name?.getText() === wanted).initializer;
  return `${valueOf('name').text} ${valueOf('version').text}`;
};

/** Files that were read, by their text. */
const modules = new Map();

/** The digest of each view's code, by its name and version. @param read the text of a file, by its path in the project */
export const viewFingerprints = (read) => {
  const load = (path) => {
    const text = read(path);
    const known = modules.get(text) ?? moduleOf(text);
    modules.set(text, known);
    return known;
  };
  const files = readdirSync(new URL(`../${FOLDER}`, import.meta.url))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => `${FOLDER}/${file}`)
    .filter((file) => file !== OUTPUT);
  const found = files.flatMap((file) =>
    [...load(file).declared].flatMap(([name, node]) => {
      const view = viewMadeBy(node);
      if (view === null) return [];
      const texts = [...reachedFrom(load, file, name)].sort(([a], [b]) => (a < b ? -1 : 1));
      const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
      return [[view, digest]];
    }),
  );
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** The text of the file that the service reads the fingerprints from. */
export const fileText = (fingerprints) =>
  [
    '// Generated from the views by scripts/view-fingerprints.mjs, at each build.',
    '',
    '/** A digest of each view’s code, by its name and version. */',
    'export const FINGERPRINTS: Readonly<Record<string, string>> = {',
    ...[...fingerprints].map(([view, digest]) => `  '${view}': '${digest}',`),
    '};',
    '',
  ].join('\n');

/** The text of a file. @param path in the project */
export const readSource = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

if (argv[1] === fileURLToPath(import.meta.url)) {
  const text = fileText(viewFingerprints(readSource));
  const place = new URL(`../${OUTPUT}`, import.meta.url);
  // Written only if it changes: else all that imports it would be built again.
  if (!existsSync(place) || readFileSync(place, 'utf8') !== text) writeFileSync(place, text);
}
