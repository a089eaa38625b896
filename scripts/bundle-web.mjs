// Bundles the candidate's page into `dist/web`: a script, the worklet that resamples the microphone, a stylesheet, an
// icon, each also compressed, and `names.json` with the name of each, which has a hash of its content. The files of the
// build that was here before stay, for pages that are open: `former` has their names.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
/** `dist/web`, unless a test names another. */
const folder = process.argv[2] ?? join(root, 'dist', 'web');

/** The colours and controls of every page, as the service compiles them. */
const { BASE_STYLE } = await import(pathToFileURL(join(root, 'dist/src/http/page.js')));

/** Texts are values alone, however they are made: kinds of them that the page does not use are left out. */
const textsAreValues = {
  name: 'texts-are-values',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/[a-z]{2}\/.+\.js$/ }, ({ path, resolveDir }) =>
      resolveDir === join(root, 'src', 'languages')
        ? { path: join(resolveDir, path.replace(/\.js$/, '.ts')), sideEffects: false }
        : null,
    ),
};

const bundle = async (options) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    logLevel: 'error',
    plugins: [textsAreValues],
    ...options,
  });
  return outputFiles[0].contents;
};

const script = (entry) =>
  bundle({ entryPoints: [entry], format: 'esm', tsconfig: 'web/tsconfig.json', charset: 'utf8' });

const style = () =>
  bundle({
    stdin: {
      contents: `${BASE_STYLE}\n${readFileSync(join(root, 'web', 'style.css'), 'utf8')}`,
      loader: 'css',
    },
  });

const [app, worklet, css] = await Promise.all([
  script('web/main.tsx'),
  script('web/audio/worklet.ts'),
  style(),
]);
const icon = readFileSync(join(root, 'web', 'icon.svg'));

const parts = {
  script: ['app', 'js', app],
  worklet: ['worklet', 'js', worklet],
  style: ['style', 'css', css],
  icon: ['icon', 'svg', icon],
};
const names = Object.fromEntries(
  Object.entries(parts).map(([part, [name, extension, content]]) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
    return [part, `${name}-${hash}.${extension}`];
  }),
);

/** The names of the build that is replaced; one that had the same files has no say. */
const formerNames = () => {
  try {
    const { former = [], ...before } = JSON.parse(readFileSync(join(folder, 'names.json'), 'utf8'));
    const replaced = Object.values(before).filter((name) => !Object.values(names).includes(name));
    return (replaced.length > 0 ? replaced : former).filter((name) => existsSync(join(folder, `${name}.gz`)));
  } catch {
    return [];
  }
};

mkdirSync(folder, { recursive: true });
const former = formerNames();
for (const [part, [, , content]] of Object.entries(parts)) {
  writeFileSync(join(folder, names[part]), content);
  writeFileSync(join(folder, `${names[part]}.gz`), gzipSync(content, { level: 9 }));
}
// A service that starts meanwhile finds all that the names say.
writeFileSync(join(folder, 'names.json'), `${JSON.stringify({ ...names, former }, null, 2)}\n`);
const written = new Set([
  ...[...Object.values(names), ...former].flatMap((name) => [name, `${name}.gz`]),
  'names.json',
]);
for (const name of readdirSync(folder))
  if (!written.has(name)) rmSync(join(folder, name), { recursive: true });
