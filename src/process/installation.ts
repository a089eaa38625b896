import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of this program's package.json, in the source tree or in the image. */
const home = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
})();

/** How operators type the command: `assay` in the image, by npm in the source tree. */
const COMMAND = existsSync(join(home, 'scripts', 'prepare.mjs')) ? 'npm run -s assay --' : 'assay';

/** This build's version, from its package.json. */
export const version = (): string => {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return version;
};

/**
 * Replaces `assay` in commands within a text (in backquotes, after `$ `, `|| `, `Usage: ` or a setting) by what
 * operators type in this installation. Texts contain `assay`, since stored ones may be shown by another installation.
 */
export const asTyped = (text: string): string =>
  text.replaceAll(/(?<=`|\$ |\|\| |Usage: |DATA_DIR=\S+ )assay(?= )/g, COMMAND);

/** The path of a file or folder below that of package.json. */
export const sourceFile = (...parts: readonly string[]): string => join(home, ...parts);

/** The build's folder `dist`. Bundled or not, this file is at different depths of it, and in tests outside of it. */
const DIST = import.meta.url.includes('/dist/')
  ? import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length)
  : pathToFileURL(join(home, 'dist/')).href;

/** The bundled file of another program or of a worker thread of this build. */
export const programFile = (
  name: 'build-worker' | 'checker' | 'operator' | 'report-worker' | 'work-worker',
): string => fileURLToPath(`${DIST}bin/${name}.js`);

/** The folder of the built candidate's page. */
export const pageFolder = (): string => fileURLToPath(`${DIST}web`);
