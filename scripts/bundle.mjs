// Puts each program with all that it imports into a few files of `dist/bin`: what takes longest of a start is to find,
// open and link some two thousand modules. It bundles what `tsc` has written, which keeps the metadata of decorators.
import { build } from 'esbuild';
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyPackages, FONTS } from './bundle-image.mjs';
import { rewriteSpreads, spreadsAfterNothing } from './bundle-spreads.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'dist', 'bin');
const packages = join(root, 'node_modules');
const require = createRequire(import.meta.url);

/**
 * The programs of a group share files: each part that two of them use is one. The service is alone in its group, because
 * it is ready sooner the fewer files it opens.
 */
const PROGRAMS = [
  { main: 'src/main' },
  // Alone too, so that the service stays alone.
  { demo: 'tools/demo/main' },
  {
    projector: 'src/projector',
    'build-worker': 'src/build-worker',
    operator: 'src/operator',
    simulate: 'tools/simulate/main',
    'wav-to-pcm': 'src/interview/speech/wav-to-pcm',
    'work-worker': 'src/work/worker',
    'report-worker': 'src/api/shared-reports/pdf-worker',
  },
  // Alone too: it goes into sandboxes.
  { 'check-driver': 'tools/checker/driver' },
  { checker: 'tools/checker/main' },
];

/**
 * Packages that are not bundled: native code, what must run before all others, what is read as files, what is for
 * development alone, and what stores values under the names of its classes, since a bundler renames one of two classes of
 * the same name. (`keepNames` would keep the names, but sets the name of each function whenever one is made: a sixth of
 * the cost of a read.)
 */
const APART = [
  'lmdb',
  'reflect-metadata',
  'swagger-ui-dist',
  '@kurrent/bridge-*',
  'oidc-provider',
  'playwright-core',
  'sharp',
];

/** Fastify, Nest, the MongoDB driver and the bridge of KurrentDB ask for these, and do without. */
const NOT_NEEDED = [
  '@fastify/ajv-compiler',
  '@fastify/cors',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/platform-socket.io',
  'class-transformer',
  'mongodb-client-encryption',
  '../index.node',
];

/** Large packages that a program loads only if it is configured to. All programs load the same files of them. */
const CLIENTS = ['@eventstore/db-client', '@kurrent/kurrentdb-client', 'mongodb', 'nodemailer'];
const nameOf = (client) => `client-${basename(client)}`;

const clientsApart = {
  name: 'clients-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      CLIENTS.includes(path) ? { path: `./${nameOf(path)}.js`, external: true } : null,
    ),
};

/** Makes an ES module of each CommonJS package that is an entry, with its exports by name too. */
const clients = {
  name: 'clients',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'client' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'client' }, ({ path }) => {
      const names = Object.keys(require(path)).filter((name) => name !== 'default');
      const contents = `const all = require('${path}'); export default all; export const { ${names.join(', ')} } = all;`;
      return { contents, resolveDir: root };
    });
  },
};

/** Packages whose CommonJS form is bundled whole, and the ES modules of which only what is used is. */
const MODULES = {
  'class-validator': 'class-validator/esm2015/index.js',
  rxjs: 'rxjs/dist/esm/index.js',
  'rxjs/operators': 'rxjs/dist/esm/operators/index.js',
};

const usedPartsAlone = {
  name: 'used-parts-alone',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(class-validator|rxjs|rxjs\/operators)$/ }, ({ path, kind }) =>
      // Nest's own pipe would load all of class-validator. It is not used.
      kind === 'dynamic-import'
        ? { path, external: true }
        : { path: join(packages, MODULES[path]), sideEffects: false },
    );
  },
};

/**
 * Node reads and keeps every map from the start. So a frame in a package names its file, and no line there: that leaves
 * a quarter of the maps, and 8 MB less memory.
 */
const packagesWithoutLines = {
  name: 'packages-without-lines',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const map = JSON.stringify({ version: 3, sources: [basename(path)], names: [], mappings: 'AAAA' });
      const url = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
      const text = spreadsAfterNothing(await readFile(path, 'utf8'));
      return { contents: `${text}\n//# sourceMappingURL=${url}` };
    }),
};

/** CommonJS packages call `require` for Node's built-in modules, and read their own path. */
const BANNER = [
  "import { createRequire as $createRequire } from 'node:module';",
  'const require = $createRequire(import.meta.url);',
  'const { filename: __filename, dirname: __dirname } = import.meta;',
].join(' ');

const options = {
  absWorkingDir: root,
  outdir: bin,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: [...APART, ...NOT_NEEDED],
  banner: { js: BANNER },
  // Node keeps the text of what it has loaded. Names stay.
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'error',
};
const plugins = [usedPartsAlone, packagesWithoutLines];

// Before the bundles are made of the files. Packages are rewritten as they are read.
rewriteSpreads(root);
const built = await Promise.all([
  ...PROGRAMS.map((group) => {
    const entryPoints = Object.entries(group).map(([name, source]) => [name, `dist/${source}.js`]);
    return build({
      ...options,
      entryPoints: Object.fromEntries(entryPoints),
      plugins: [clientsApart, ...plugins],
    });
  }),
  build({
    ...options,
    entryPoints: Object.fromEntries(CLIENTS.map((path) => [nameOf(path), path])),
    plugins: [clients, ...plugins],
  }),
]);
const outputs = built.flatMap(({ metafile }) => Object.entries(metafile.outputs));

const written = new Set(outputs.map(([path]) => basename(path)));
for (const name of readdirSync(bin)) if (!written.has(name)) rmSync(join(bin, name));

copyPackages();

/** A licence requires that its text is shipped beside the code. */
const bundled = new Set(
  outputs
    .flatMap(([, { inputs }]) => Object.keys(inputs))
    .map((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
    .filter((folder) => folder !== undefined)
    .concat(Object.keys(FONTS).map((name) => `node_modules/${name}`)),
);
const notices = [...bundled].sort().flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file) && !file.endsWith('.js'))
    .map(
      (file) =>
        `${folder.replace(/.*node_modules\//, '')}\n\n${readFileSync(join(root, folder, file), 'utf8')}`,
    ),
);
writeFileSync(join(bin, 'LICENSES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
