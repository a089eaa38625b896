// Measures the structure of the source, and with `--ways` how far requests travel (some 70 s, after `npm run build`).
// `--verbose` lists what is counted; `--check` fails if a measure is worse than its limit. Lines of code and files are
// only printed.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { levelOf, roomOf, ROOTS } from './rooms.mjs';
import { ways } from './ways.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TESTS = /\.(spec|whole|alone)\.ts$/;

const GENERATED = '// Generated from ';

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !TESTS.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    // The built files of a package, and the packages that the benchmark's peers install.
    .filter((path) => !/\/(?:dist|node_modules)\//.test(path));

const IMPORT = /^(?:import|export)\b[^;]*?\bfrom '([^']+)';|^import '([^']+)';|\bimport\('([^']+)'\)/gms;
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

/** A file with the files that it imports, and of these those that it loads when it runs: not those of types alone. */
const read = (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const statements = [...text.matchAll(IMPORT)];
  const targets = (some) =>
    some
      .map(([, from, bare, lazy]) => from ?? bare ?? lazy)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => posix.join(dirname(path), specifier).replace(/\.js$/, ''));
  const code = text.replace(COMMENT, '').replace(IMPORT, '');
  return {
    path,
    isGenerated: text.startsWith(GENERATED),
    imports: [...new Set(targets(statements))],
    loads: [...new Set(targets(statements.filter(([statement]) => !/^\w+ type\b/.test(statement))))],
    lines: text.split('\n').length - 1,
    code: code.split('\n').filter((line) => line.trim() !== '').length,
  };
};

/** Tarjan's strongly connected components of more than one node. */
const circles = (edges) => {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) {
        visit(next);
        low.set(node, Math.min(low.get(node), low.get(next)));
      } else if (stack.includes(next)) low.set(node, Math.min(low.get(node), index.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) found.push(component.sort());
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found;
};

/** A graph of files, or of groups of files. @param group the group's name, by a file's path */
const edgesBy = (files, group, edge = 'imports') => {
  const edges = new Map();
  for (const { path, [edge]: all } of files) {
    const from = group(path);
    if (!edges.has(from)) edges.set(from, new Set());
    for (const to of all.map(group)) if (to !== from) edges.get(from).add(to);
  }
  return edges;
};

/** The sources below these folders, each as `read` has it, but with imports of these sources alone. */
const sourcesBelow = (folders) => {
  const known = folders
    .flatMap(filesBelow)
    .map(read)
    // Only sources that people edit are measured.
    .filter(({ isGenerated }) => !isGenerated);
  const paths = new Map(known.map(({ path }) => [path.replace(/\.tsx?$/, ''), path]));
  const among = (stems) => stems.map((stem) => paths.get(stem)).filter((path) => path !== undefined);
  return known.map((file) => ({ ...file, imports: among(file.imports), loads: among(file.loads) }));
};

/** Folders without a room whose files people edit too. */
const BESIDE = ['web', 'tools'];

const measure = () => {
  const rooms = ['src', 'projections', 'packages'];
  const files = sourcesBelow(rooms);
  const importers = new Map();
  for (const { path, imports } of files)
    for (const to of imports) importers.set(to, [...(importers.get(to) ?? []), path]);
  const folders = edgesBy(files, dirname);
  const mutual = [...folders].flatMap(([from, all]) =>
    [...all].filter((to) => from < to && folders.get(to)?.has(from)).map((to) => `${from} <> ${to}`),
  );
  const upward = files.flatMap(({ path, imports }) =>
    imports.filter((to) => levelOf(to) > levelOf(path)).map((to) => `${path} -> ${to}`),
  );
  const depth = (path) => path.split('/').length - 2;
  return {
    code: files.reduce((sum, { code }) => sum + code, 0),
    files: files.length,
    // A use case has a file of its own, however short it is.
    tiny: files
      .filter(({ path, lines }) => lines < 30 && !path.startsWith('src/application/'))
      .map(({ path }) => path),
    longest: Math.max(...[...files, ...sourcesBelow(BESIDE)].map(({ lines }) => lines)),
    depth: Math.max(...files.filter(({ path }) => path.startsWith('src/')).map(({ path }) => depth(path))),
    mutual,
    fileCircles: circles(edgesBy(files, (path) => path)),
    loadCircles: circles(
      edgesBy(sourcesBelow([...rooms, ...BESIDE, 'test', 'bench']), (path) => path, 'loads'),
    ),
    roomCircles: circles(edgesBy(files, roomOf)),
    upward,
    unplaced: files.map(({ path }) => path).filter((path) => roomOf(path) === null || levelOf(path) < 0),
    loose: files.map(({ path }) => path).filter((path) => roomOf(path) === 'src' && !ROOTS.includes(path)),
    satellites: files
      .filter(({ path, lines }) => {
        const [only, ...others] = importers.get(path) ?? [];
        return lines < 60 && only !== undefined && others.length === 0 && dirname(only) === dirname(path);
      })
      .map(({ path }) => path),
    ...support(),
  };
};

/** The size of `test/support`, which an author of tests has to learn: all files, in any language. */
const support = () => {
  const files = readdirSync(join(root, 'test', 'support'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'));
  return {
    supportFiles: files.length,
    supportLines: files.reduce((sum, text) => sum + text.split('\n').length - 1, 0),
  };
};

/** The highest count of each measure that passes `--check`. Lower one when the count has fallen. */
const MAX_COUNTS = {
  tiny: 19,
  longest: 348,
  depth: 3,
  mutual: 0,
  fileCircles: 0,
  loadCircles: 0,
  roomCircles: 0,
  upward: 0,
  unplaced: 0,
  loose: 0,
  satellites: 5,
  supportFiles: 85,
  supportLines: 9_000,
};

const NAMES = {
  code: 'lines of code',
  files: 'files',
  tiny: 'files under 30 lines',
  longest: 'lines of the longest file',
  depth: 'folders deep in src',
  mutual: 'pairs of folders that import each other',
  fileCircles: 'circles of files',
  loadCircles: 'circles of files that load each other, pages, tools and tests too',
  roomCircles: 'circles of rooms',
  upward: 'imports that point upwards',
  unplaced: 'files in no room',
  loose: 'loose files in src',
  satellites: 'files under 60 lines with one importer, beside it',
  supportFiles: 'files of the tests’ support',
  supportLines: 'lines of the tests’ support',
};

const house = measure();
const worse = [];
for (const [key, name] of Object.entries(NAMES)) {
  const { [key]: value } = house;
  const count = Array.isArray(value) ? value.length : value;
  const tooMany = count > (MAX_COUNTS[key] ?? Infinity);
  if (tooMany) worse.push(`${count} ${name}, ${MAX_COUNTS[key]} at most`);
  console.log(`${String(count).padStart(6)}  ${name}`);
  if (
    Array.isArray(value) &&
    (process.argv.includes('--verbose') || (tooMany && process.argv.includes('--check')))
  )
    for (const one of value) console.log(`          ${[one].flat().join(', ')}`);
}
/** The most files and functions that a request may run, to pass `--check`. */
const MAX_OF_WAYS = {
  'PATCH of a role': [68, 304],
  'batch of 100 activities': [80, 360],
  'read of the signal': [21, 64],
};
if (process.argv.includes('--ways'))
  for (const [name, way] of await ways()) {
    const counts = [way.length, way.reduce((sum, [, functions]) => sum + functions.length, 0)];
    const [files, functions] = counts;
    console.log(`${`${files}`.padStart(6)}  files, ${functions} functions: ${name}`);
    if (process.argv.includes('--verbose'))
      for (const [file, names] of way) console.log(`          ${file}: ${names.join(' ')}`);
    if (counts.some((count, index) => count > MAX_OF_WAYS[name][index]))
      worse.push(
        `${files} files and ${functions} functions for a ${name}, ${MAX_OF_WAYS[name].join(' and ')} at most`,
      );
  }
if (process.argv.includes('--check') && worse.length > 0) {
  console.error(`The house got worse: ${worse.join('; ')}. scripts/house.mjs has the limits.`);
  process.exitCode = 1;
}
