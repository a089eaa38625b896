// Bundles the candidate's page and the staff's console into `dist/web`: for each a script, the chunks of it that are
// loaded when they are needed, the worklet that resamples the microphone, a stylesheet, an icon, each also compressed,
// and `names.json` with the name of each, which has a hash of its content. The files of the build that was here before
// stay, for pages that are open: `former` has their names.
import { build } from 'esbuild';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
/** `dist/web`, unless a test names another. */
const folder = process.argv[2] ?? join(root, 'dist', 'web');

/** The look of every page, as the service compiles it. */
const { BASE_STYLE, ICON } = await import(pathToFileURL(join(root, 'dist/src/http/page.js')));

/** Marks the texts as free of side effects, so that the bundler leaves out those that the page does not use. */
const textsAreValues = {
  name: 'texts-are-values',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/[a-z]{2}\/.+\.js$/ }, ({ path, resolveDir }) =>
      resolveDir === join(root, 'src', 'languages')
        ? { path: join(resolveDir, path.replace(/\.js$/, '.ts')), sideEffects: false }
        : null,
    ),
};

/** Puts all code that later chunks share with the first script into that script: one file compresses better. */
const oneScript = {
  name: 'one-script',
  setup: ({ onLoad }) =>
    onLoad({ filter: /hand-ins\.ts$/ }, ({ path }) => ({
      contents: `import '../main.js';\n${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    })),
};

/** Calls `h` for each element: its arguments compress better than the objects of `preact/jsx-runtime`. */
const classicElements = {
  name: 'classic-elements',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/web\/.+\.tsx$/ }, ({ path }) => ({
      contents: `/** @jsxRuntime classic @jsx $h @jsxFrag $Fragment */import { h as $h, Fragment as $Fragment } from 'preact';${readFileSync(path, 'utf8')}`,
      loader: 'tsx',
    })),
};

/** As it is sent. More memory, as by default, makes larger blocks, which fit mixed code and texts less well. */
const compressed = (content) => gzipSync(content, { level: 9, memLevel: 7 });

const bundle = async (options) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    logLevel: 'error',
    plugins: [textsAreValues, oneScript, classicElements],
    ...options,
  });
  return outputFiles;
};

const script = (entry, options) =>
  // ASCII: the escapes of `…` and of umlauts compress better than their bytes.
  bundle({
    entryPoints: [entry],
    format: 'esm',
    tsconfig: 'web/tsconfig.json',
    charset: 'ascii',
    ...options,
  });

const style = (...parts) =>
  bundle({
    stdin: {
      contents: [
        BASE_STYLE,
        ...parts.map((part) => readFileSync(join(root, 'web', part, 'style.css'), 'utf8')),
      ].join('\n'),
      loader: 'css',
    },
  });

/** The chunks that a script loads with itself, and those that these load. */
const loadedWith = ({ text }, chunks, found = new Set()) => {
  for (const chunk of chunks) {
    const name = basename(chunk.path);
    if (found.has(chunk) || !(text.includes(`from"./${name}"`) || text.includes(`import"./${name}"`)))
      continue;
    found.add(chunk);
    loadedWith(chunk, chunks, found);
  }
  return [...found];
};

const [scripts, [worklet], [css], staffScripts, [staffCss]] = await Promise.all([
  script('web/candidate/main.tsx', { splitting: true, outdir: folder, chunkNames: '[name]-[hash]' }),
  script('web/candidate/audio/worklet.ts'),
  style('shared', 'candidate'),
  script('web/staff/main.tsx', { splitting: true, outdir: folder, chunkNames: 'staff-[name]-[hash]' }),
  style('shared', 'staff'),
]);
const app = scripts.find(({ path }) => basename(path) === 'main.js');
const chunks = scripts.filter((one) => one !== app);
const staffApp = staffScripts.find(({ path }) => basename(path) === 'main.js');
const staffChunks = staffScripts.filter((one) => one !== staffApp);

const parts = {
  script: ['app', 'js', app.contents],
  worklet: ['worklet', 'js', worklet.contents],
  style: ['style', 'css', css.contents],
  icon: ['icon', 'svg', Buffer.from(ICON)],
};
const staffParts = {
  script: ['staff', 'js', staffApp.contents],
  style: ['staff-style', 'css', staffCss.contents],
};
const namesOf = (of) =>
  Object.fromEntries(
    Object.entries(of).map(([part, [name, extension, content]]) => {
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
      return [part, `${name}-${hash}.${extension}`];
    }),
  );
const names = namesOf(parts);
const staffNames = namesOf(staffParts);
/** What is written, by name. Chunks import each other by the names that the bundler gave them. */
const contents = new Map([
  ...Object.entries(parts).map(([part, [, , content]]) => [names[part], content]),
  ...Object.entries(staffParts).map(([part, [, , content]]) => [staffNames[part], content]),
  ...[...chunks, ...staffChunks].map((chunk) => [basename(chunk.path), chunk.contents]),
]);
const chunkNames = [...chunks, ...staffChunks].map(({ path }) => basename(path));
const namesWith = (main, others) => loadedWith(main, others).map(({ path }) => basename(path));
const shared = namesWith(app, chunks);
const staff = { ...staffNames, shared: namesWith(staffApp, staffChunks) };

/** All script that the console begins with, and all that one of its pages needs, as it is sent. */
const MAX_FIRST_BYTES = 130_000;
const MAX_PAGE_BYTES = 200_000;
for (const page of [staffApp, ...staffChunks]) {
  const needed = new Set([
    staffApp,
    ...loadedWith(staffApp, staffChunks),
    page,
    ...loadedWith(page, staffChunks),
  ]);
  const bytes = [...needed].reduce((sum, file) => sum + compressed(file.contents).length, 0);
  const limit = page === staffApp ? MAX_FIRST_BYTES : MAX_PAGE_BYTES;
  if (bytes > limit)
    throw new Error(
      `The console has ${bytes} bytes of compressed script with ${basename(page.path)}, at most ${limit} are allowed. Load what is not always needed later.`,
    );
}

/** The names of the build that is replaced; if it had the same files, the `former` names that it recorded. */
const formerNames = () => {
  try {
    const {
      former = [],
      staff: staffBefore = {},
      ...before
    } = JSON.parse(readFileSync(join(folder, 'names.json'), 'utf8'));
    const replaced = [...Object.values(before), ...Object.values(staffBefore)]
      .flat()
      .filter((name) => !contents.has(name));
    return (replaced.length > 0 ? replaced : former).filter((name) => existsSync(join(folder, `${name}.gz`)));
  } catch {
    return [];
  }
};

mkdirSync(folder, { recursive: true });
const former = formerNames();
for (const [name, content] of contents) {
  writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, `${name}.gz`), compressed(content));
}
// Written last, so that a service that starts meanwhile finds every file that is named.
writeFileSync(
  join(folder, 'names.json'),
  `${JSON.stringify({ ...names, shared, staff, chunks: chunkNames, former }, null, 2)}\n`,
);
const written = new Set([
  ...[...contents.keys(), ...former].flatMap((name) => [name, `${name}.gz`]),
  'names.json',
]);
for (const name of readdirSync(folder))
  if (!written.has(name)) rmSync(join(folder, name), { recursive: true });
