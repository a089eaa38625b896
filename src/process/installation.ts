import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where this program is installed: the folder of its package.json, in the source tree or in the image. */
const home = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
})();

/** How the operator's command is called: `assay` in the image, by npm in the source tree. */
const CALL = existsSync(join(home, 'scripts', 'prepare.mjs')) ? 'npm run -s assay --' : 'assay';

/** This build's version, by its package.json. */
export const version = (): string => {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return version;
};

/**
 * Replaces `assay …` in backquotes with the command as it is typed in this installation. Texts, stored ones too, always
 * say `assay`: another installation may show them.
 */
export const asTyped = (text: string): string =>
  text.replaceAll(/(?<=`|\$ |\|\| |Usage: |DATA_DIR=\S+ )assay(?= )/g, CALL);

/** A file or folder of the source tree. @param parts of its path */
export const sourceFile = (...parts: readonly string[]): string => join(home, ...parts);

/** The build's folder `dist`: this file lies at different depths of it, bundled and not, and in tests beside it. */
const DIST = import.meta.url.includes('/dist/')
  ? import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length)
  : pathToFileURL(join(home, 'dist/')).href;

/** The bundled file of another program of this build, or of what runs in a thread of its own. */
export const programFile = (
  name: 'build-worker' | 'checker' | 'operator' | 'report-worker' | 'work-worker',
): string => fileURLToPath(`${DIST}bin/${name}.js`);

/** The folder of the candidate's page, as it was built. */
export const pageFolder = (): string => fileURLToPath(`${DIST}web`);
