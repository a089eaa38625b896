import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beginDataFolder } from '../../../test/faults/backup-command.js';
import { startAssay } from '../../../test/support/assay.js';

let dataDir: string;
let organisation: string;
const assay = (...args: readonly string[]) => startAssay(dataDir, args).ended();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-events-'));
  await beginDataFolder(dataDir);
  const { out } = await assay(
    ...['organisations', 'create', '--name', 'Example', '--owner-email', 'olga@example.org', '--json'],
  );
  organisation = `organisation-${(JSON.parse(out) as { id: string }).id}`;
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const lines = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('assay events tail', () => {
  it('follows until SIGINT, in JSON lines, the personal part sealed', async () => {
    const following = startAssay(dataDir, ['events', 'tail', '--from', 'start', '-f', '--json']);
    await following.printed(/member\.added.*\n/);
    following.process.kill('SIGINT');
    const { code, out, err } = await following.ended();
    expect([code, err]).toEqual([0, '']);
    expect(lines(out).map(({ type, personal }) => [type, personal])).toEqual([
      ['organisation.created', null],
      ['member.added', '(sealed)'],
    ]);
    expect(out).not.toContain('olga@example.org');
  });

  it('shows the last events of the log, and as many as are asked for', async () => {
    const types = async (...flags: readonly string[]) =>
      lines((await assay('events', 'tail', '--json', ...flags)).out).map(({ type }) => type);
    expect(await types()).toEqual(['organisation.created', 'member.added']);
    expect(await types('--limit', '1')).toEqual(['member.added']);
    expect(await types('--from', 'start', '--limit', '1')).toEqual(['organisation.created']);
  });

  it('ends quietly once nobody reads it', async () => {
    const tail = `${process.execPath} ${resolve('dist/bin/operator.js')} events tail --from start --follow`;
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
    const piped = `{ ${tail}; echo "code $?" >&2; } | true`;
    const { stderr } = await promisify(execFile)('/bin/sh', ['-c', piped], { env });
    expect(stderr).toBe('code 0\n');
  });

  it('is called wrongly with a position that no event of this log can have', async () => {
    expect((await assay('events', 'tail', '--from', 'f'.repeat(32))).code).toBe(2);
  });
});

describe('assay streams', () => {
  it('lists, and shows what it listed', async () => {
    const listed = await assay('streams', 'list', '--prefix', 'organisation-', '--json');
    expect(lines(listed.out)).toMatchObject([{ stream: organisation, events: 2 }]);
    const shown = await assay('streams', 'show', organisation, '--backward', '--limit', '1');
    expect(shown.out).toMatch(/^@1 {2}member\.added.*\n[^@]*personal {2}\(sealed\)\n$/);
  });
});

describe('assay health', () => {
  it('says of a folder without views that it is not ready', async () => {
    const begun = join(dataDir, 'begun');
    await beginDataFolder(begun);
    const { code, out, err } = await startAssay(begun, ['health', '--json']).ended();
    expect(JSON.parse(out)).toMatchObject({
      ready: false,
      components: expect.arrayContaining([
        expect.objectContaining({ name: 'event-store', ready: true }),
        expect.objectContaining({
          name: 'read-store',
          ready: false,
          problem: expect.stringContaining('no read store'),
        }),
      ]),
    });
    expect([code, err]).toEqual([1, 'Not ready: read-store.\n']);
  });
});
