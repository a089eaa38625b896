import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where this program is installed: the folder of its package.json, in the source tree or in the image. */
const home = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
})();

/** How the operator's command is typed: `assay` in the image, by npm in the source tree. */
const COMMAND = existsSync(join(home, 'scripts', 'prepare.mjs')) ? 'npm run -s assay --' : 'assay';

/** This build's version, by its package.json. */
export const version = (): string => {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return version;
};

/**
 * Replaces `assay` where a text shows a command (in backquotes, after `$ `, `|| `, `Usage: ` or a setting) with what is
 * typed in this installation. Texts, stored ones too, always say `assay`: another installation may show them.
 */
export const asTyped = (text: string): string =>
  text.replaceAll(/(?<=`|\$ |\|\| |Usage: |DATA_DIR=\S+ )assay(?= )/g, COMMAND);

/** The path of a file or folder below the one of package.json. */
export const sourceFile = (...parts: readonly string[]): string => join(home, ...parts);

/** The build's folder `dist`. This file is at different depths of it, bundled or not, and in tests outside of it. */
const DIST = import.meta.url.includes('/dist/')
  ? import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length)
  : pathToFileURL(join(home, 'dist/')).href;

/** The bundled file of another program, or of a worker thread, of this build. */
export const programFile = (
  name: 'build-worker' | 'checker' | 'operator' | 'report-worker' | 'work-worker',
): string => fileURLToPath(`${DIST}bin/${name}.js`);

/** The folder of the candidate's page, as it was built. */
export const pageFolder = (): string => fileURLToPath(`${DIST}web`);
