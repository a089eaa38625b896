import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('the packed program', () => {
  let folder: string;
  let user: string;
  const tarball = (): string => join(folder, 'assay-work-0.1.0.tgz');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-work-'));
    user = join(folder, 'user');
    await mkdir(user);
    // As the build left it: npm runs no script here.
    await run('npm', ['pack', '--pack-destination', folder], { cwd: 'packages/work' });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('runs by npx, and needs nothing but Node', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', npm_config_cache: join(folder, 'cache') };
    const npx = (...args: readonly string[]) =>
      run('npx', ['--offline', '--yes', `--package=${tarball()}`, 'assay-work', ...args], { cwd: user, env });
    expect((await npx('--help')).stdout).toMatch(/^Usage:\n {2}assay-work <link>/);
    await expect(npx('http://evil.example/apply/x')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not encrypted'),
    });
    const { dependencies } = JSON.parse(await readFile('packages/work/package.json', 'utf8')) as {
      dependencies?: unknown;
    };
    expect(dependencies).toBeUndefined();
  });

  it('says in a sentence, without a stack, what its user has to mend, such as a full disk', async () => {
    const gone = join(folder, 'gone');
    await mkdir(gone);
    const script = `cd ${gone} && rmdir ${gone} && exec "$0" "$1" status`;
    const main = resolve('packages/work/dist/main.js');
    const failed = run('sh', ['-c', script, process.execPath, main], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Not done: ENOENT: .*\n$/),
    });
  });

  it('brings its README, and no source or tests', async () => {
    const { stdout } = await run('tar', ['tzf', tarball()]);
    const files = stdout.trim().split('\n');
    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/dist/main.js']));
    expect(files.filter((file) => /\.spec\.|\/src\//.test(file))).toEqual([]);
  });
});
