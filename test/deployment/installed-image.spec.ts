import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beginDataFolder } from '../faults/backup-command.js';
import { startService } from '../support/service.js';
import { copiesOf, stagesOf } from './dockerfile.js';

const run = promisify(execFile);

describe('what the image holds', () => {
  let image: string;
  beforeAll(async () => {
    image = await mkdtemp(join(tmpdir(), 'assay-image-'));
    // The files that the last stage copies, at the same paths.
    for (const { from, source, target } of copiesOf(stagesOf(readFileSync('Dockerfile', 'utf8')).at(-1)!)) {
      const path = from === null ? source : source.replace('/app/', '');
      const to = join(image, target.endsWith('/') ? join(target, basename(path)) : target);
      await mkdir(dirname(to), { recursive: true });
      await cp(path, to, { recursive: true });
    }
  });
  afterAll(() => rm(image, { recursive: true, force: true }));

  const assay = (...args: readonly string[]) =>
    run(process.execPath, [join(image, 'dist/bin/operator.js'), ...args], {
      env: { PATH: process.env['PATH'], DATA_DIR: join(image, 'data') },
    }).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });

  it('is a command that knows its version and names commands as the image has them', async () => {
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

  it('is all that the service loads: issuers, pages and stores', async () => {
    const service = await startService({ entry: join(image, 'dist/bin/main.js') });
    try {
      const paths = ['/candidate/.well-known/openid-configuration', '/docs', '/apply/anything'];
      const statuses = paths.map(async (path) => (await fetch(`${service.url}${path}`)).status);
      expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
    } finally {
      await service.stop();
    }
  });

  it('is all that the operator’s command needs to work on a data folder', async () => {
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
