import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT_CODES } from '../../src/operator/cli/program.js';
import { beginDataFolder } from '../../test/faults/backup-command.js';
import { type FakeService, startFakeService, type Trouble } from '../../test/simulate/fake-service.js';
import { startAssay } from '../../test/support/assay.js';
import { Program } from '../../test/support/program.js';

/** The compiled program, as a user runs it. */
const begin = (flags: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  Program.start(process.execPath, ['dist/bin/simulate.js', ...flags], { env: { PORT: '9', ...env } });

const run = (...flags: readonly string[]) => begin(flags).ended();

describe('npm run simulate', () => {
  let fake: FakeService | null = null;
  afterEach(async () => fake?.close());

  const against = async (trouble: Trouble): ReturnType<typeof run> => {
    fake = await startFakeService(trouble);
    const { url, organisationId, ownerEmail } = fake;
    return run('--candidates', '4', '--url', url, '--organisation', organisationId, '--email', ownerEmail);
  };

  it('exits 0 where everything agrees', async () => {
    expect(await against({})).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/Everything agrees\.\n$/),
    });
  });

  it('lists what differs and exits 1', async () => {
    const { code, out } = await against({ flaw: 'forgets_rename' });
    expect(code).toBe(1);
    expect(out).toMatch(/\nDIFFERENT {2}rows of the signal: .*\n(.*\n)*\d+ differences?\.\n$/);
  });

  it.each([
    [
      'half an organisation',
      ['--email', 'a@b.example'],
      /^error: --organisation and --email belong together/,
    ],
    ['a number that is none', ['--candidates', '1.5'], /whole number from 1 to 100000/],
    ['an address that is none', ['--url', 'ftp://x'], /http or https address/],
    ['an option that is none', ['--candidate', '7'], /unknown option '--candidate'/],
  ])('says what is wrong with %s, and exits 2', async (_, flags, sentence) => {
    const { code, out, err } = await run(...flags);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
  });

  it('says in one line that there is no service, and exits 1', async () => {
    const { code, out, err } = await run();
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^No service answers at http:\/\/127\.0\.0\.1:9 [^\n]+\n$/);
  });

  it('says what it lacks to drive a browser before it asks the service, and exits 1', async () => {
    const { code, out, err } = await begin(['--web', '1'], { CHROMIUM: '/no/such/browser' }).ended();
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^--web drives Chromium, and there is none: install it \(.*\), or name it by CHROMIUM\.\n$/,
    );
  });

  it('knows its version and the exit codes of the operator’s command', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining(EXIT_CODES) });
  });

  it('exits 130 where it is interrupted', async () => {
    fake = await startFakeService();
    const { url, organisationId, ownerEmail } = fake;
    const round = begin(['--url', url, '--organisation', organisationId, '--email', ownerEmail]);
    await round.printed(/./);
    round.process.kill('SIGINT');
    expect(await round.ended()).toMatchObject({ code: 130, err: expect.stringMatching(/^Interrupted: /) });
  });

  describe('on other data than the service’s', () => {
    let dataDir: string;
    beforeEach(async () => (dataDir = await mkdtemp(join(tmpdir(), 'assay-simulate-'))));
    afterEach(() => rm(dataDir, { recursive: true, force: true }));

    it.each([['none'], ['another one']])('ends before it writes: %s here', async (which) => {
      if (which !== 'none') {
        const made = ['organisations', 'create', '--name', 'Other', '--owner-email', 'olga@example.org'];
        await beginDataFolder(dataDir);
        expect(await startAssay(dataDir, made).ended()).toMatchObject({ code: 0 });
      }
      const before = await readdir(dataDir, { recursive: true });
      const events = async () => (await startAssay(dataDir, ['events', 'tail']).ended()).out;
      const stood = await events();
      fake = await startFakeService();
      const begun = begin(['--candidates', '2', '--url', fake.url], { DATA_DIR: dataDir });
      const { code, out, err } = await begun.ended();
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/ works on other data than DATA_DIR \(.*\), .*: nothing was written\. /);
      expect([await readdir(dataDir, { recursive: true }), await events()]).toEqual([before, stood]);
    });
  });
});
