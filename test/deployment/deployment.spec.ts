import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allOf, copiesOf, isIgnored, pairsOf, stagesOf } from './dockerfile.js';
import { needsOf } from './imports.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  engines: { node: string };
  scripts: { start: string; projector: string };
  dependencies: Record<string, string>;
};
const stages = stagesOf(read('Dockerfile'));
const image = stages.at(-1)!;
const rules = read('.dockerignore');
/** Programs, as the build writes them and the image copies them. */
const packagesOfImage = join(root, 'dist/image/node_modules');
const listOf = (text: string | undefined): string[] => JSON.parse(text ?? 'null') as string[];

describe('the image', () => {
  it('has a base that is pinned by version and that the service runs on', () => {
    const oldest = /\d+/.exec(manifest.engines.node)![0];
    for (const { base } of stages) {
      const [, major] = /^node:(\d+)\.\d+\.\d+-\w+-slim$/.exec(base)!;
      expect(Number(major)).toBeGreaterThanOrEqual(Number(oldest));
    }
  });

  it('copies only what is there and what the context holds', () => {
    const copies = stages.flatMap(copiesOf);
    expect(copies.length).toBeGreaterThan(5);
    for (const { from, source } of copies) {
      const path = from === null ? source : source.replace('/app/', '');
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      if (from === null) expect([path, isIgnored(rules, path)]).toEqual([path, false]);
      else expect(stages.map(({ name }) => name)).toContain(from);
    }
  });

  it('is built from sources alone: no tests, data, keys, history or packages of this machine', () => {
    for (const path of ['src/main.ts', 'src/http/edge-server.ts', 'projections/signal.ts', '.npmrc']) {
      expect([path, isIgnored(rules, path)]).toEqual([path, false]);
    }
    for (const path of [
      'src/process/config.spec.ts',
      'projections/golden/hashes.json',
      'test/support/service.ts',
      'bench/run.ts',
      'data/data.key',
      '.env',
      '.git/config',
      'node_modules/lmdb/package.json',
      'dist/bin/main.js',
      'docker-compose.yml',
    ]) {
      expect([path, isIgnored(rules, path)]).toEqual([path, true]);
    }
  });

  it('holds packages of production only, as the lock file pins them', () => {
    const build = stages.find(({ name }) => name === 'build')!;
    expect(allOf(build, 'RUN').join('\n')).toMatch(/npm ci --include=dev$/m);
    const modules = copiesOf(image).find(({ target }) => target === './node_modules');
    expect(modules).toMatchObject({ from: 'build', source: '/app/dist/image/node_modules' });
    expect(allOf(image, 'RUN').join()).not.toMatch(/npm|apt|curl/);
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { version: string; dev?: boolean }>;
    };
    const folders = readdirSync(packagesOfImage, { recursive: true })
      .map(String)
      .filter((path) => /(^|\/node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .map((path) => join('node_modules', dirname(path)));
    expect(folders.length).toBeGreaterThan(20);
    for (const folder of folders) {
      const { version } = JSON.parse(read(join('dist/image', folder, 'package.json'))) as { version: string };
      const { dev = false, ...pinned } = packages[folder]!;
      expect([folder, dev, pinned.version]).toEqual([folder, false, version]);
    }
  });

  it('is built from all that each program imports, packages included', () => {
    const entries = ['src/main.js', 'src/projector.js', 'src/operator.js'];
    const { files, packages } = needsOf(join(root, 'dist'), entries);
    expect(files.size).toBeGreaterThan(100);
    for (const file of files)
      expect([file, isIgnored(rules, file.replace(/\.js$/, '.ts'))]).toEqual([file, false]);
    expect([...packages].filter((name) => !(name in manifest.dependencies))).toEqual([]);
    // Imports at run time, files read from disk and types are all followed.
    for (const name of ['lmdb', 'mongodb', '@eventstore/db-client', 'swagger-ui-dist']) {
      expect(packages).toContain(name);
    }
  });

  it('holds each program with all files of its bundle', () => {
    const copied = copiesOf(image)
      .filter(({ from }) => from === 'build')
      .map(({ source }) => source.replace('/app/dist/', ''));
    expect(copied).toEqual(expect.arrayContaining(['bin', 'web']));
    expect(isIgnored(rules, 'scripts/bundle.mjs')).toBe(false);
    const entries = ['main', 'projector', 'build-worker', 'operator'].map((name) => `bin/${name}.js`);
    const { files, packages } = needsOf(join(root, 'dist'), entries);
    expect(files.size).toBeGreaterThan(entries.length);
    const isCopied = (file: string): boolean =>
      copied.some((source) => file === source || file.startsWith(`${source}/`));
    expect([...files].filter((file) => !isCopied(file))).toEqual([]);
    // A package is in the bundle or installed beside it. A package that is not installed here is an optional one.
    const isThere = (name: string): boolean => existsSync(join(packagesOfImage, name));
    const isInstalled = (name: string): boolean => existsSync(join(root, 'node_modules', name));
    expect([...packages]).toEqual(expect.arrayContaining(['lmdb', 'swagger-ui-dist', 'oidc-provider']));
    // Only Nest's own pipe for bodies loads all of `class-validator`, and it is not used.
    expect([...packages].filter((name) => isInstalled(name) && !isThere(name))).toEqual(['class-validator']);
  });

  it('holds the native part of the client of KurrentDB, for the machine that builds it', () => {
    const folder = join(packagesOfImage, '@kurrent');
    const [bridge = ''] = readdirSync(folder);
    const { createClient } = createRequire(import.meta.url)(join(folder, bridge)) as Record<string, unknown>;
    expect(typeof createClient).toBe('function');
  });

  it('runs the compiled service as a user other than root, and is stopped by SIGTERM', () => {
    expect(allOf(image, 'USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    const node = ['node', '--enable-source-maps', '--v8-pool-size=1'];
    expect(listOf(allOf(image, 'ENTRYPOINT')[0])).toEqual(node);
    expect(manifest.scripts.start).toContain(`exec ${node.join(' ')} dist/bin/main.js`);
    expect(manifest.scripts.projector).toContain(`exec ${node.join(' ')} dist/bin/projector.js`);
    const [program = ''] = listOf(allOf(image, 'CMD')[0]);
    expect(program).toBe('dist/bin/main.js');
    expect(existsSync(join(root, program))).toBe(true);
    expect(allOf(image, 'STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(pairsOf(image, 'ENV')).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
  });

  it('says what it is', () => {
    const labels = pairsOf(image, 'LABEL');
    expect(labels['org.opencontainers.image.version']).toBe(manifest.version);
    expect(labels['org.opencontainers.image.licenses']).toBe('MIT');
  });

  it.each([
    ['the API', 'PORT', 200, 0],
    ['a projector', 'HEALTH_PORT', 200, 0],
    ['a process that answers with an error', 'PORT', 503, 1],
  ])('asks %s how it is on %s: %i makes %i', async (_, variable, status, code) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      // A projector's image also sets the API's PORT, on which no process listens.
      expect(await healthCheck({ PORT: '1', [variable]: `${port}` })).toBe(code);
      expect(asked).toEqual(['/health/live']);
    } finally {
      server.close();
    }
  });

  it('is unhealthy if no process answers', async () => {
    expect(await healthCheck({ PORT: '1' })).toBe(1);
  });
});

/** Runs the image's health check with an environment. @returns its exit code */
const healthCheck = async (environment: Record<string, string>): Promise<unknown> => {
  const [, command] = /CMD (\[.*\])$/.exec(allOf(image, 'HEALTHCHECK')[0] ?? '') ?? [];
  const [program, ...args] = listOf(command);
  expect(program).toBe('node');
  const child = spawn(process.execPath, args, { env: environment, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as unknown[];
  return code;
};
