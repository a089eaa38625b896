import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedVault } from '../../src/vault/lmdb/vault.js';
import { collect, event, plain } from '../contracts/event-store-kit.js';
import type { Program } from '../support/program.js';
import { type Printed, startCopy } from './copy-command.js';
import { fillLog, fillVault } from './copy-source.js';

const EVENTS = 3_000;
const DATA_KEY = Buffer.alloc(32, 5);

/** The content of a data folder, for comparing. */
const contentOf = async (folder: string) => {
  const log = await openEmbeddedLog(join(folder, 'log'));
  const vault = await openEmbeddedVault(join(folder, 'vault'), DATA_KEY);
  try {
    await log.verify();
    return { events: (await collect(log.readAll())).map(plain), entries: await collect(vault.entries()) };
  } finally {
    await Promise.all([log.close(), vault.close()]);
  }
};

describe('the command that copies a data folder', () => {
  let root: string;
  let source: string;
  let target: string;
  let count = 0;
  const running = new Set<Program>();

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-copy-command-'));
    source = join(root, 'source');
    await mkdir(source);
    await writeFile(join(source, 'data.key'), `${DATA_KEY.toString('base64')}\n`);
    const log = await openEmbeddedLog(join(source, 'log'));
    const vault = await openEmbeddedVault(join(source, 'vault'), DATA_KEY);
    await fillLog(log, EVENTS);
    await fillVault(vault, 60);
    await Promise.all([log.close(), vault.close()]);
  });
  afterAll(() => rm(root, { recursive: true }));

  beforeEach(() => {
    target = join(root, `target-${++count}`);
  });
  afterEach(async () => {
    for (const command of running) command.process.kill('SIGKILL');
    await Promise.all([...running].map((command) => command.ended()));
    running.clear();
  });

  const start = (...args: string[]): Program => {
    const command = startCopy(args);
    running.add(command);
    return command;
  };

  it('copies it, prints the settings for a start on it, and puts no key there', async () => {
    const { code, out, err } = await startCopy(['--from', source, '--to', target]).ended();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Events: ${EVENTS} of ${EVENTS} · \\d+/s$`, 'm'));
    expect(out).toMatch(new RegExp(`Copied ${EVENTS} events and \\d+ vault entries in [\\d.]+ s`));
    expect(out).toMatch(
      /source {2}3000 events {2}sha256 ([0-9a-f]{64})\ntarget {2}3000 events {2}sha256 \1\n/,
    );
    expect(out).toContain('Both hold the same.');
    expect(out).toContain(join(source, 'data.key'));
    expect(out).not.toContain(DATA_KEY.toString('base64'));
    expect((await readdir(target)).sort()).toEqual(['log', 'vault']);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('prints one object with --json, and nothing is copied twice', async () => {
    const first = await startCopy(['--from', source, '--to', target, '--json']).ended();
    const printed = JSON.parse(first.out) as Printed;
    expect(printed).toMatchObject({ from: source, to: target, equal: true, log: { copied: EVENTS } });
    expect(printed.log.target).toEqual(printed.log.source);
    expect(printed.vault.target).toEqual(printed.vault.source);
    const again = await startCopy(['--from', source, '--to', target, '--json']).ended();
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({
      equal: true,
      log: { source: printed.log.source, target: printed.log.source, copied: 0 },
      vault: { source: printed.vault.source, copied: 0 },
    });
    const words = await startCopy(['--from', source, '--to', target]).ended();
    expect(words.out).toContain('The target held everything already; nothing was copied.');
  });

  it('resumes after each of several kills', async () => {
    for (const moment of [/^Comparing/m, /^Vault entries: /m, /^Events: /m, /^Events: /m, /^Events: /m]) {
      const command = start('--from', source, '--to', target);
      await command.printed(moment);
      command.process.kill('SIGKILL');
      expect((await command.ended()).code).toBeNull();
    }
    const { code, out } = await startCopy(['--from', source, '--to', target]).ended();
    expect(code).toBe(0);
    expect(out).toMatch(/The target holds [1-9]\d* of 3000 events already\./);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('stops at SIGTERM with a sentence, and two at once do each other no harm', async () => {
    const command = start('--from', source, '--to', target);
    await command.printed(/^Events: /m);
    command.process.kill('SIGTERM');
    expect(await command.ended()).toMatchObject({
      code: 130,
      err: 'Stopped. Run the same command again: it continues where it stopped.\n',
    });
    const both = [start('--from', source, '--to', target), start('--from', source, '--to', target)];
    expect((await Promise.all(both.map((one) => one.ended()))).map(({ code }) => code)).toEqual([0, 0]);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  describe('refuses', () => {
    /** Exactly one line on the error stream. */
    const refusal = async (
      args: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const { code, err } = await startCopy(args, env).ended();
      expect({ code, lines: err.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
      return err.trimEnd();
    };

    it.each([
      [['--from', './data'], /--to/],
      [['--from', './data', '--to', 'esdb://localhost:1'], /the MongoDB URL is missing/],
      [['--from', 'http://me:pass@localhost', '--to', './data'], /http:\/\/ is the scheme of neither/],
      [['--from', 'esdb://a,mongodb://b', '--to', 'kurrentdb://a,mongodb://b'], /by the same scheme/],
      [['--from', './data', '--to', './other', '--quickly'], /unknown option/],
    ])('to be called as %j', async (args, why) => {
      const { code, err } = await startCopy(args).ended();
      expect(code).toBe(2);
      expect(err).toMatch(why);
      expect(err).not.toContain('pass');
    });

    it('one folder as both', async () => {
      expect(await refusal(['--from', source, '--to', `${source}/../source`])).toMatch(/are the same place/);
    });

    it('a source that is none', async () => {
      const other = join(root, 'x');
      expect(await refusal(['--from', target, '--to', other])).toContain('There is no folder');
      await mkdir(target);
      expect(await refusal(['--from', target, '--to', other])).toMatch(
        /is not a data folder: it holds no event log/,
      );
      expect(existsSync(other)).toBe(false);
    });

    it('a folder whose key is nowhere', async () => {
      const without = join(root, 'without-key');
      await cp(source, without, { recursive: true });
      await rm(join(without, 'data.key'));
      const said = await refusal(['--from', without, '--to', target]);
      expect(said).toMatch(/^Set DATA_KEY to the key of the source’s vault \(no key in .*data\.key/);
      const env = { DATA_KEY: DATA_KEY.toString('hex') };
      expect((await startCopy(['--from', without, '--to', target], env).ended()).code).toBe(0);
    });

    it('an empty source', async () => {
      await (await openEmbeddedLog(join(target, 'log'))).close();
      const env = { DATA_KEY: DATA_KEY.toString('hex') };
      expect(await refusal(['--from', target, '--to', join(root, 'x')], env)).toContain('it holds no vault');
      await (await openEmbeddedVault(join(target, 'vault'), DATA_KEY)).close();
      expect(await refusal(['--from', target, '--to', join(root, 'x')], env)).toContain('holds no events');
      expect(existsSync(join(root, 'x'))).toBe(false);
    });

    it('a wrong DATA_KEY, and names its side', async () => {
      const other = Buffer.alloc(32, 6);
      const env = { DATA_KEY: other.toString('base64') };
      expect(await refusal(['--from', source, '--to', target], env)).toMatch(
        /^The source cannot be opened: The vault is wrapped by another DATA_KEY/,
      );
      expect(existsSync(target)).toBe(false);
      expect(await refusal(['--from', source, '--to', target], { DATA_KEY: 'short' })).toMatch(
        /^DATA_KEY must be 32/,
      );
      await (await openEmbeddedVault(join(target, 'vault'), other)).close();
      await (await openEmbeddedLog(join(target, 'log'))).close();
      expect(await refusal(['--from', source, '--to', target])).toMatch(
        /^The target cannot be opened: The vault is wrapped by another DATA_KEY/,
      );
      await writeFile(join(target, 'data.key'), `${other.toString('base64')}\n`);
      expect(await refusal(['--from', source, '--to', target])).toMatch(/hold different keys/);
    });

    it('a target that is somebody’s other folder, or a file', async () => {
      await mkdir(target);
      await writeFile(join(target, 'letter.txt'), 'x');
      expect(await refusal(['--from', source, '--to', target])).toMatch(/holds other files and no event log/);
      expect(await readdir(target)).toEqual(['letter.txt']);
      expect(await refusal(['--from', source, '--to', join(target, 'letter.txt')])).toMatch(
        /is not a folder/,
      );
    });

    it('a target that holds another log, and leaves it as it is', async () => {
      const log = await openEmbeddedLog(join(target, 'log'));
      await fillLog(log, 10, 2);
      await log.close();
      const before = await contentOf(target);
      expect(await refusal(['--from', source, '--to', target])).toMatch(
        /^The target holds something else: its event 1 /,
      );
      expect(await contentOf(target)).toEqual(before);
    });

    it('to report success while a service writes to the source', async () => {
      const moving = join(root, 'moving');
      await cp(source, moving, { recursive: true });
      const log = await openEmbeddedLog(join(moving, 'log'));
      let last: number | 'no-stream' = 'no-stream';
      const until = new AbortController();
      const writing = (async () => {
        while (!until.signal.aborted) {
          const appended = await log.append('thing-moving' as never, last, [event()]);
          last = appended.kind === 'appended' ? appended.revision : last;
        }
      })();
      try {
        const said = await refusal(['--from', moving, '--to', target]);
        expect(said).toMatch(/^The source changes: a service or projector is writing to it\. Stop/);
      } finally {
        until.abort();
        await writing;
        await log.close();
      }
    });
  });
});
