import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AssayCommand, beginDataFolder } from '../../../test/faults/backup-command.js';

let dataDir: string;
let organisation: string;
const assay = (...args: readonly string[]) => AssayCommand.run(dataDir, args);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-events-'));
  await beginDataFolder(dataDir);
  const { stdout } = await assay(
    ...['organisations', 'create', '--name', 'Example', '--owner-email', 'olga@example.org', '--json'],
  );
  organisation = `organisation-${(JSON.parse(stdout) as { id: string }).id}`;
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('assay events tail', () => {
  it('follows until SIGINT, in JSON lines, the personal part sealed', async () => {
    const following = AssayCommand.start(dataDir, ['events', 'tail', '--from', 'start', '-f', '--json']);
    await following.printed(/member\.added.*\n/);
    following.process.kill('SIGINT');
    const { code, stdout, stderr } = await following.ended();
    expect([code, stderr]).toEqual([0, '']);
    expect(lines(stdout).map(({ type, personal }) => [type, personal])).toEqual([
      ['organisation.created', null],
      ['member.added', '(sealed)'],
    ]);
    expect(stdout).not.toContain('olga@example.org');
  });

  it('shows the last events of the log, and as many as are asked for', async () => {
    const types = async (...flags: readonly string[]) =>
      lines((await assay('events', 'tail', '--json', ...flags)).stdout).map(({ type }) => type);
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
    expect(lines(listed.stdout)).toMatchObject([{ stream: organisation, events: 2 }]);
    const shown = await assay('streams', 'show', organisation, '--backward', '--limit', '1');
    expect(shown.stdout).toMatch(/^@1 {2}member\.added.*\n[^@]*personal {2}\(sealed\)\n$/);
  });
});

describe('assay health', () => {
  it('says of a folder without views that it is not ready', async () => {
    const begun = join(dataDir, 'begun');
    await beginDataFolder(begun);
    const { code, stdout, stderr } = await AssayCommand.run(begun, ['health', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
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
    expect([code, stderr]).toEqual([1, 'Not ready: read-store.\n']);
  });
});
