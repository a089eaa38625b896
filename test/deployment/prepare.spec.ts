import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('what npm start prepares on a machine that lacks something', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-prepare-'));
    cpSync('scripts', join(folder, 'scripts'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json'])
      copyFileSync(file, join(folder, file));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const prepare = (env: Readonly<Record<string, string>> = {}) => {
    const began = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'prepare.mjs')], {
      env: { PATH: process.env['PATH'], HOME: folder, ...env },
      encoding: 'utf8',
    });
    return {
      status,
      stdout,
      lines: stderr.trimEnd().split('\n'),
      seconds: (performance.now() - began) / 1_000,
    };
  };

  it('ends with one sentence where Node is too old, before anything is installed', () => {
    const path = join(folder, 'package.json');
    const own = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify({ ...own, engines: { node: '>=999.2' } }));
    const { status, stdout, lines } = prepare();
    expect([status, stdout, lines]).toEqual([
      1,
      '',
      [
        expect.stringMatching(
          /^Assay needs Node 999\.2 or newer, and this is Node .* Nothing was installed\.$/,
        ),
      ],
    ]);
    expect(readdirSync(folder)).not.toContain('node_modules');
  });

  it('ends with a hint within seconds where no registry is reached, and not with npm’s own words', () => {
    const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'cache') };
    const { status, lines, seconds } = prepare(env);
    expect([status, lines]).toEqual([
      1,
      [expect.stringMatching(/^The packages cannot be fetched: .* online/)],
    ]);
    expect(seconds).toBeLessThan(60);
  });
});
