import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { collect } from '../contracts/event-store-kit.js';
import { Writer } from './event-store-processes.js';

describe('the embedded log when its writers die', () => {
  let folder: string;
  const running = new Set<Writer>();

  const start = (plan: object): Writer => {
    const writer = Writer.start(folder, plan);
    running.add(writer);
    return writer;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-crash-'));
  });

  afterEach(async () => {
    await Promise.all([...running].map((writer) => writer.kill()));
    running.clear();
    await rm(folder, { recursive: true });
  });

  /** Expects every acknowledged event at its acknowledged place, no event twice, and no gap. */
  async function assertKept(writers: readonly Writer[]): Promise<number> {
    const log = await openEmbeddedLog(folder);
    await log.verify();
    const all = await collect(log.readAll());
    await log.close();
    const byId = new Map(all.map((recorded) => [recorded.id, recorded]));
    expect(byId.size).toBe(all.length);
    const next = new Map<string, number>();
    all.forEach(({ stream, revision, position }, index) => {
      expect(revision).toBe(next.get(stream) ?? 0);
      next.set(stream, revision + 1);
      expect(Number.parseInt(position, 16)).toBe(index + 1);
    });
    const answers = writers.flatMap(({ lines }) => lines).filter(({ kind }) => kind === 'acknowledged');
    for (const { ids = [], stream, revision = NaN, position } of answers) {
      ids.forEach((id, index) => {
        expect(byId.get(id)).toMatchObject({ stream, revision: revision - ids.length + 1 + index });
      });
      expect(byId.get(ids.at(-1)!)?.position).toBe(position);
    }
    return answers.length;
  }

  it('keeps every acknowledged append of 8 writers in 3 processes that are killed at random', async () => {
    const writers: Writer[] = [];
    // Two processes share each stream, so that they conflict, resend and append after one another.
    const plans = [
      { streams: ['t-1', 't-2', 't-3'] },
      { streams: ['t-3', 't-4', 't-5'] },
      { streams: ['t-5', 't-1'] },
    ];
    const deadline = Date.now() + 4_000;
    await Promise.all(
      plans.map(async (plan) => {
        while (Date.now() < deadline) {
          const writer = start(plan);
          writers.push(writer);
          await writer.said(({ kind }) => kind === 'acknowledged');
          await sleep(Math.random() * 400);
          await writer.kill();
        }
      }),
    );
    expect(writers.length).toBeGreaterThan(3);
    expect(await assertKept(writers)).toBeGreaterThan(100);
  });

  it.each(['before-transaction', 'locked', 'checked', 'event-put', 'stream-put', 'committed'] as const)(
    'keeps what it promised when killed at %s, and lets others go on at once',
    async (step) => {
      const other = start({ streams: ['t-other', 't-both'] });
      const dying = start({ streams: ['t-1', 't-2', 't-both'], at: { step, after: 12, signal: 'SIGKILL' } });
      expect(await dying.ended()).toMatchObject({ signal: 'SIGKILL' });
      const before = other.lines.length;
      await other.said((line) => other.lines.indexOf(line) > before && line.kind === 'acknowledged', 20_000);
      await other.kill();
      await assertKept([dying, other]);
    },
  );

  it('rejects with an unknown outcome while a stopped process holds the write lock, and works again after it', async () => {
    const waiting = start({ streams: ['t-2', 't-3'], deadlineMs: 400 });
    await waiting.said(({ kind }) => kind === 'open');
    const stopped = start({ streams: ['t-1'], at: { step: 'event-put', after: 5, signal: 'SIGSTOP' } });
    const failed = await waiting.said(({ kind }) => kind === 'failed');
    expect(failed).toMatchObject({ name: 'StoreUnavailable' });
    expect(failed.message).toContain('another process may hold its write lock');
    const before = waiting.lines.length;
    stopped.process.kill('SIGCONT');
    await waiting.said((line) => waiting.lines.indexOf(line) > before && line.kind === 'acknowledged');
    await stopped.said(() => stopped.lines.length > 20);
    await Promise.all([stopped.kill(), waiting.kill()]);
    expect(waiting.lines.filter(({ kind }) => kind === 'unhandled')).toEqual([]);
    await assertKept([stopped, waiting]);
  });

  it('works again once a stopped process that holds the write lock is killed', async () => {
    const waiting = start({ streams: ['t-2'], deadlineMs: 400 });
    await waiting.said(({ kind }) => kind === 'open');
    const stopped = start({ streams: ['t-1'], at: { step: 'stream-put', after: 5, signal: 'SIGSTOP' } });
    await waiting.said(({ kind }) => kind === 'failed');
    const before = waiting.lines.length;
    await stopped.kill();
    await waiting.said((line) => waiting.lines.indexOf(line) > before && line.kind === 'acknowledged');
    await waiting.kill();
    await assertKept([stopped, waiting]);
  });
});
