import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginDataFolder } from '../faults/backup-command.js';
import { copiesOf, stagesOf } from './dockerfile.js';

const run = promisify(execFile);

describe('the operator’s command in the image', () => {
  let image: string;
  beforeAll(async () => {
    image = await mkdtemp(join(tmpdir(), 'assay-image-'));
    // What the last stage copies, as it lies there.
    for (const { from, source } of copiesOf(stagesOf(readFileSync('Dockerfile', 'utf8')).at(-1)!)) {
      const path = from === null ? source : source.replace('/app/', '');
      const target = join(image, path);
      await mkdir(dirname(target), { recursive: true });
      if (path === 'node_modules') await symlink(resolve(path), target);
      else await cp(path, target, { recursive: true });
    }
  });
  afterAll(() => rm(image, { recursive: true, force: true }));

  const assay = (...args: readonly string[]) =>
    run(process.execPath, [join(image, 'dist/bin/operator.js'), ...args], {
      env: { PATH: process.env['PATH'], DATA_DIR: join(image, 'data') },
    }).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });

  it('knows its version, and names commands as the image has them', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await assay('--version')).toMatchObject({ stdout: `${version}\n`, stderr: '' });
    expect(await assay('projectoins')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/\(Did you mean `assay projections`\?\)\n\(`assay --help` shows/),
    });
    expect((await assay('projections', 'status', '--help')).stdout).toMatch(
      /^Usage: assay projections status /,
    );
  });

  it('works on a data folder with what the image holds', async () => {
    await beginDataFolder(join(image, 'data'));
    const made = await assay(
      'organisations',
      'create',
      '--name',
      'Example',
      '--owner-email',
      'a@example.org',
    );
    expect(made).toMatchObject({ stdout: expect.stringMatching(/^Organisation .* is created/), stderr: '' });
    expect((await assay('events', 'tail')).stdout).toMatch(/member\.added/);
  });
});
