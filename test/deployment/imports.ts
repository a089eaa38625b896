import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import typescript from 'typescript';

/** What a compiled program needs to run. */
export interface Needs {
  /** Compiled files, below the folder of the build. */
  readonly files: ReadonlySet<string>;
  /** Packages, by name. */
  readonly packages: ReadonlySet<string>;
}

/** The package that an import names. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** A file of a package whose path the code resolves at run time, to read it from disk. */
const RESOLVED = /(?<!Promise)\.resolve\(\s*['"]([^'"./][^'"]*)['"]/g;

/** Follows every import, also dynamic ones, from these compiled files. @throws if an imported file is missing */
export const needsOf = (dist: string, entries: readonly string[]): Needs => {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = entries.map((entry) => join(dist, entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const name = relative(dist, file);
    if (files.has(name)) continue;
    if (!existsSync(file)) throw new Error(`${name} is imported and not in the build.`);
    files.add(name);
    const text = readFileSync(file, 'utf8');
    const { importedFiles } = typescript.preProcessFile(text, true, true);
    const specifiers = importedFiles.map(({ fileName }) => fileName);
    for (const [, specifier = ''] of text.matchAll(RESOLVED)) specifiers.push(specifier);
    for (const specifier of specifiers) {
      if (specifier.startsWith('.')) waiting.push(join(dirname(file), specifier));
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier));
    }
  }
  return { files, packages };
};
