import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this build's package.json: the source folder, or the image's. */
const home = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
})();

/** The image has the command by its name; in the source folder npm calls it. */
const CALL = existsSync(join(home, 'scripts', 'prepare.mjs')) ? 'npm run -s assay --' : 'assay';

/** This build's version, by its package.json. */
export const version = (): string => {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return version;
};

/**
 * A text with its commands as they can be typed where this process runs. Sentences name one as `assay …` in
 * backquotes, also those that are stored: who reads one may run another installation.
 */
export const asTyped = (text: string): string =>
  text.replaceAll(/(?<=`|\$ |\|\| |Usage: |DATA_DIR=\S+ )assay(?= )/g, CALL);

/** The build's folder: this file lies at different depths of it, bundled and not. */
const DIST = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length);

/** The bundled file of another program of this build. */
export const programFile = (name: 'build-worker' | 'operator'): string =>
  fileURLToPath(`${DIST}bin/${name}.js`);

/** The folder of the candidate's page, as it was built. */
export const pageFolder = (): string => fileURLToPath(`${DIST}web`);
