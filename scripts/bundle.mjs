// Puts each program with all that it imports into a few files of `dist/bin`: what takes longest of a start is to find,
// open and link some two thousand modules. What `tsc` has written is what is bundled, so types and decorators are its.
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'dist', 'bin');

const PROGRAMS = {
  main: 'src/main',
  projector: 'src/projector',
  'build-worker': 'src/build-worker',
  operator: 'src/operator',
  simulate: 'tools/simulate/main',
  'wav-to-pcm': 'src/interview/speech/wav-to-pcm',
};

/**
 * Stays where it is: native code, what must run before all others, what is read as files, what few ever load, and what
 * stores things under the names of its classes, which a bundler changes where two are the same. (`keepNames` would
 * keep them, at the price of naming each function again whenever one is made: a sixth of what a read costs.)
 */
const APART = ['lmdb', 'reflect-metadata', 'swagger-ui-dist', '@kurrent/kurrentdb-client', 'oidc-provider'];

/** Nest and the MongoDB driver ask for these, and do without. */
const NOT_INSTALLED = [
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/platform-socket.io',
  'class-transformer',
  'mongodb-client-encryption',
];

/** Views stay as they are compiled: a generation knows by the text of its view's functions whether this code folds it. */
const viewsApart = {
  name: 'views-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/.*\bprojections\// }, ({ path, resolveDir }) => {
      const file = relative(bin, resolve(resolveDir, path)).split(sep).join('/');
      return file.startsWith('../projections/') ? { path: file, external: true } : null;
    }),
};

/** CommonJS packages call `require` for what Node has built in, and ask where they lie. */
const BANNER = [
  "import { createRequire as $createRequire } from 'node:module';",
  'const require = $createRequire(import.meta.url);',
  'const { filename: __filename, dirname: __dirname } = import.meta;',
].join(' ');

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(
    Object.entries(PROGRAMS).map(([name, source]) => [name, `dist/${source}.js`]),
  ),
  outdir: bin,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: [...APART, ...NOT_INSTALLED],
  plugins: [viewsApart],
  banner: { js: BANNER },
  // Packages say of files that only change a global that they have no effect.
  ignoreAnnotations: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'error',
});

const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(bin)) if (!written.has(name)) rmSync(join(bin, name));
