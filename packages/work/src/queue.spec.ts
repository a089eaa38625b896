import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configFolder, stateFolder, type Work } from './places.js';
import { Queue } from './queue.js';
import { sendWaiting } from './sending.js';
import { Offline, Refused, type Service } from './service.js';
import type { Terminal } from './terminal.js';

const WORK: Work = {
  service: 'https://assay.example',
  applicationId: 'a',
  sessionId: 's',
  folder: '/work',
  tickets: [],
};
const quiet: Terminal = { say: () => undefined, agrees: async () => true, canAsk: true };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-work-'));
  process.env.ASSAY_WORK_HOME = home;
});
afterEach(async () => {
  delete process.env.ASSAY_WORK_HOME;
  await rm(home, { recursive: true, force: true });
});

/** A service that answers each batch by `answer`. */
const serviceThat = (answer: (events: readonly { clientEventId: string }[]) => void) => {
  const batches: string[][] = [];
  const post = async (_path: string, body: unknown): Promise<unknown> => {
    const { events } = body as { events: { clientEventId: string }[] };
    batches.push(events.map(({ clientEventId }) => clientEventId));
    answer(events);
    return {};
  };
  return { batches, service: { post } as unknown as Service };
};

describe('the queue', () => {
  it('loses nothing and holds nothing broken if the program is killed at any time', async () => {
    const program = `
      import { Queue } from ${JSON.stringify(resolve('dist/packages/work/src/queue.js'))};
      const queue = new Queue(${JSON.stringify(WORK)});
      for (let n = 0; ; n++) {
        await queue.add('test.run', { passed: n, failed: 0, durationMs: 1 });
        console.log(n);
      }`;
    let added = 0;
    for (const ms of [400, 700]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await sleep(ms);
      child.kill('SIGKILL');
      await new Promise((ended) => child.once('close', ended));
      added += said.trim() === '' ? 0 : said.trim().split('\n').length;
    }
    const waiting = await new Queue(WORK).waiting();
    expect(waiting.length).toBeGreaterThanOrEqual(added);
    expect(new Set(waiting.map(({ event }) => event.clientEventId)).size).toBe(waiting.length);
    for (const { event } of waiting) expect(event).toMatchObject({ eventType: 'test.run' });
  });

  it('is in the order of adding, also if the clock was set back in between, by whichever program', async () => {
    const ids: string[] = [];
    const hours = [12, 9, 9, 8, 13];
    for (const queue of [new Queue(WORK), new Queue(WORK)])
      for (const hour of hours) {
        const now = new Date(Date.UTC(2026, 0, 5, hour));
        const event = await queue.add('test.run', { passed: 1, failed: 0, durationMs: 1 }, now);
        expect(event.occurredAt).toBe(now.toISOString());
        ids.push(event.clientEventId);
      }
    expect((await new Queue(WORK).waiting()).map(({ event }) => event.clientEventId)).toEqual(ids);
  });

  it('is sent in batches that the service takes, in order, and kept until it has confirmed', async () => {
    const queue = new Queue(WORK);
    const ids: string[] = [];
    for (let n = 0; n < 130; n++) {
      const at = new Date(Date.UTC(2026, 0, 5, 9, 0, n));
      const payload = { path: `src/${'x'.repeat(3_000)}${n}`, linesAdded: 1, linesRemoved: 0 };
      ids.push((await queue.add('file.changed', payload, at)).clientEventId);
    }
    let answers = 0;
    const broken = serviceThat(() => {
      if (++answers > 1) throw new Offline('Away.');
    });
    expect(await sendWaiting(WORK, queue, broken.service, quiet)).toEqual({ kind: 'offline' });
    const whole = serviceThat(() => undefined);
    await sendWaiting(WORK, queue, whole.service, quiet);
    expect([...broken.batches[0]!, ...whole.batches.flat()]).toEqual(ids);
    for (const batch of whole.batches) expect(batch.length).toBeLessThanOrEqual(66);
    expect(await queue.waiting()).toEqual([]);
    const log = await readFile(join(stateFolder(WORK), 'sent.log'), 'utf8');
    expect(ids.every((id) => log.includes(id))).toBe(true);
  });

  it('keeps what the candidate does not agree to, and puts aside what the service calls wrong', async () => {
    const queue = new Queue(WORK);
    await queue.add('test.run', { passed: 1, failed: 0, durationMs: 1 });
    const { service, batches } = serviceThat(() => {
      throw new Refused(400, 'validation_failed', 'Wrong.');
    });
    const no: Terminal = { ...quiet, agrees: async () => false };
    expect(await sendWaiting(WORK, queue, service, no)).toEqual({ kind: 'declined' });
    expect([batches.length, (await queue.waiting()).length]).toEqual([0, 1]);
    await sendWaiting(WORK, queue, service, quiet);
    expect(await queue.waiting()).toEqual([]);
    expect(await readdir(join(stateFolder(WORK), 'refused'))).toHaveLength(1);
    await queue.add('test.run', { passed: 1, failed: 0, durationMs: 1 });
    const ended = serviceThat(() => {
      throw new Refused(409, 'session_ended', 'The session has ended.');
    });
    expect(await sendWaiting(WORK, queue, ended.service, quiet)).toMatchObject({ kind: 'over' });
  });

  it('is readable by the user alone', async () => {
    await new Queue(WORK).add('test.run', { passed: 1, failed: 0, durationMs: 1 });
    const folder = join(stateFolder(WORK), 'queue');
    const [name] = await readdir(folder);
    expect((await stat(join(folder, name!))).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });
});

describe('the folder for configuration', () => {
  it('is the system’s own', () => {
    expect(configFolder({}, 'linux', '/home/c')).toBe('/home/c/.config/assay-work');
    expect(configFolder({ XDG_CONFIG_HOME: '/x' }, 'linux', '/home/c')).toBe('/x/assay-work');
    expect(configFolder({ XDG_CONFIG_HOME: 'x' }, 'linux', '/home/c')).toBe('/home/c/.config/assay-work');
    expect(configFolder({}, 'darwin', '/Users/c')).toBe('/Users/c/Library/Application Support/assay-work');
    expect(configFolder({ APPDATA: 'C:\\A' }, 'win32', 'C:\\c')).toContain('C:\\A');
  });
});
