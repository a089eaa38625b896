// Puts each package of many small files into a few of `dist/bundled`, for the suites: Jest finds, compiles and links
// every module again for each spec, and TypeBox alone has 540. The programs have the same packages bundled (bundle.mjs).
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPackages } from '../jest.config.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist', 'bundled');
const packages = join(root, 'node_modules');

/** ES modules of packages whose main file is CommonJS: that would not export by name. */
const MODULES = {
  'class-validator': join(packages, 'class-validator/esm2015/index.js'),
  rxjs: join(packages, 'rxjs/dist/esm/index.js'),
  'rxjs/operators': join(packages, 'rxjs/dist/esm/operators/index.js'),
};

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(bundledPackages.map((name) => [name, MODULES[name] ?? name])),
  outdir: folder,
  bundle: true,
  // All of them share what they import: Nest is several packages, and there may be one of each class.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  alias: MODULES,
  // What others import too, and what Nest asks for and does without.
  external: [
    'reflect-metadata',
    'fastify',
    '@fastify/*',
    'ws',
    '@nestjs/microservices*',
    '@nestjs/platform-express',
    '@nestjs/platform-socket.io',
    'class-transformer*',
  ],
  // CommonJS packages call `require` for what Node has built in.
  banner: {
    js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
  },
  metafile: true,
  logLevel: 'error',
});

const written = new Set(Object.keys(metafile.outputs).map((path) => join(root, path)));
for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && !written.has(path)) rmSync(path);
}
