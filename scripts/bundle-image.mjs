import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = join(root, 'node_modules');
const requireFrom = (folder) => createRequire(join(folder, 'package.json'));

/** What the programs load from `node_modules`, with all that it depends on: bundle.mjs leaves it where it is. */
const WHOLE = ['lmdb', 'oidc-provider', 'reflect-metadata', 'sharp'];

const { currentPlatform } = requireFrom(join(packages, '@kurrent', 'bridge'))('@neon-rs/load');

/** The files of the font packages that a PDF report is set in. */
export const FONTS = Object.fromEntries(
  Object.entries({
    'chocolate-classical-sans': ['400Regular/ChocolateClassicalSans_400Regular.ttf'],
    'noto-sans': ['400Regular/NotoSans_400Regular.ttf', '600SemiBold/NotoSans_600SemiBold.ttf'],
    'noto-sans-arabic': [
      '400Regular/NotoSansArabic_400Regular.ttf',
      '600SemiBold/NotoSansArabic_600SemiBold.ttf',
    ],
    'noto-sans-hebrew': [
      '400Regular/NotoSansHebrew_400Regular.ttf',
      '600SemiBold/NotoSansHebrew_600SemiBold.ttf',
    ],
  }).map(([name, files]) => [
    `@expo-google-fonts/${name}`,
    ['package.json', 'LICENSE', 'LICENSE_FONT', ...files],
  ]),
);

/** The files of large packages that the programs read. */
const FILES = {
  ...FONTS,
  'swagger-ui-dist': [
    'package.json',
    'LICENSE',
    'NOTICE',
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'favicon-32x32.png',
  ],
  [`@kurrent/bridge-${currentPlatform()}`]: ['package.json', 'index.node'],
};

/** The folder of a package as Node finds it from another's; `undefined`: an optional one, of another platform. */
const folderOf = (name, from) =>
  requireFrom(from)
    // The paths are the same for every name that is not one of Node's own modules.
    .resolve.paths('any')
    .map((place) => join(place, name))
    .find((folder) => existsSync(folder));

const withDependencies = (folder, found = new Set()) => {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = folderOf(name, folder);
    if (next !== undefined) withDependencies(next, found);
  }
  return found;
};

/** Writes the image's `node_modules` into `dist/image`: a production install would hold the bundled packages again. */
export const copyPackages = () => {
  const target = join(root, 'dist', 'image');
  rmSync(target, { recursive: true, force: true });
  const copy = (path, options) => cpSync(path, join(target, relative(root, path)), options);
  for (const folder of new Set(WHOLE.flatMap((name) => [...withDependencies(join(packages, name))])))
    copy(folder, {
      recursive: true,
      // Packages inside a package are dependencies, and copied as such.
      filter: (path) => !relative(folder, path).split(sep).includes('node_modules'),
    });
  for (const [name, files] of Object.entries(FILES))
    for (const file of files) copy(join(packages, name, file));
};
