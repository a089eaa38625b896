import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { takeAway } from '../../test/support/alone.js';
import { eventually } from '../../test/support/eventually.js';
import { openMemoryReadStore } from '../../test/support/memory-read-store.js';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { silentLog } from '../engine/log.js';
import { Leases } from '../engine/ownership/leases.js';
import { SkippedEntries, startSweep, type SweepOptions, sweepPart } from './sweeps.js';

const PARTS = 5;

/** Processes that sweep the same five parts. */
const given = () => {
  const vault = new MemoryVault();
  const { leases } = openMemoryReadStore();
  const timings = { renewMs: 20, deadMs: 150 };
  /** Each part that was done: by which process, and which. */
  const done: { readonly by: string; readonly part: number }[] = [];
  /** Parts with an entry that fails. */
  const failing = new Set<number>();
  /** Parts that are not done before it resolves. */
  let held: Promise<void> = Promise.resolve();
  const processes: Leases[] = [];
  const rig = {
    vault,
    done,
    failing,
    /** Takes the lease from the process that started first. @returns call it to return the lease */
    takeAway: () => takeAway(leases, 'sweep-things', processes[0]!),
    hold: () => {
      let release: () => void = () => undefined;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    start: (by: string, options: Partial<SweepOptions> = {}) => {
      const own = new Leases({ leases, owner: `${by}-${randomUUID()}`, timings });
      processes.push(own);
      const sweep = startSweep(
        {
          name: 'things',
          warning: 'They could not be swept.',
          part: async (after) => {
            const part = after === null ? 1 : Number(after) + 1;
            if (part === 3) await held;
            done.push({ by, part });
            const end = part === PARTS ? null : String(part);
            return failing.has(part) ? { end, failure: new Error(`${part} failed.`) } : { end };
          },
        },
        { vault, leases: own, log: silentLog, delayMs: 0, ...options },
      );
      return async () => {
        await sweep.stop();
        await own.stop();
      };
    },
  };
  return {
    ...rig,
    /** A first process ends while it sweeps the third part. */
    endWithinThirdPart: async () => {
      const release = rig.hold();
      const stop = rig.start('first');
      await eventually(async () => done.length === 2);
      const stopped = stop();
      release();
      await stopped;
    },
  };
};

describe('a sweep, whose cost grows with what is held', () => {
  it('goes on in the next process where the former one ended', async () => {
    const { start, done, endWithinThirdPart } = given();
    await endWithinThirdPart();
    const stopSecond = start('second');
    await eventually(async () => done.length === PARTS);
    await stopSecond();
    expect(done.map(({ part }) => part)).toEqual([1, 2, 3, 4, 5]);
    expect(done.at(-1)?.by).toBe('second');
  });

  it('ends after the part at hand once its lease is another process’s', async () => {
    const { start, done, hold, takeAway: lose } = given();
    const release = hold();
    const stop = start('first');
    await eventually(async () => done.length === 2);
    const giveBack = await lose();
    release();
    await eventually(async () => done.length === 3);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(done.map(({ part }) => part)).toEqual([1, 2, 3]);
    await giveBack();
    await eventually(async () => done.length === PARTS);
    await stop();
  });

  it('is repeated soon for an entry that failed, also if only a process that ended knew of the failure', async () => {
    const { start, done, failing, endWithinThirdPart } = given();
    failing.add(2);
    await endWithinThirdPart();
    failing.clear();
    const stopSecond = start('second', { retry: { baseMs: 10, capMs: 10 } });
    await eventually(async () => done.length === 2 * PARTS);
    await stopSecond();
    expect(done.map(({ part }) => part)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  });

  it('goes on from the cursor as another process has moved it meanwhile', async () => {
    const { start, done, hold, vault } = given();
    const release = hold();
    const stop = start('first');
    await eventually(async () => done.length === 2);
    const cursor = (await vault.sweeps.cursor('things'))!;
    expect(await vault.sweeps.move('things', cursor, { after: '4', at: cursor.at })).toBe(true);
    release();
    await eventually(async () => done.length === 4);
    await stop();
    expect(done.map(({ part }) => part)).toEqual([1, 2, 3, 5]);
  });

  it('is not begun anew by a start, however many follow, before its time', async () => {
    const { start, done, vault } = given();
    for (let run = 0; run < 4; run++) {
      const stop = start(`run ${run}`);
      await eventually(async () => vault.cursors.get('things')?.after === null);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await stop();
    }
    expect(done).toHaveLength(PARTS);
    const stop = start('later', { now: () => Date.now() + 3_600_001 });
    await eventually(async () => done.length === 2 * PARTS);
    await stop();
  });

  it('is made at once if the former one ended at a time that is to come: that clock was wrong', async () => {
    const { start, done, vault } = given();
    await vault.sweeps.move('things', null, { after: null, at: Date.now() + 86_400_000 });
    const stop = start('one');
    await eventually(async () => done.length === PARTS);
    await stop();
  });

  it('is made by one process at a time', async () => {
    const { start, done, hold } = given();
    const release = hold();
    const stops = ['one', 'two', 'three'].map((by) => start(by));
    await eventually(async () => done.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await eventually(async () => done.length === PARTS);
    await Promise.all(stops.map((stop) => stop()));
    expect(done.map(({ part }) => part)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(done.map(({ by }) => by)).size).toBe(1);
  });

  it('begins after the start of its process, which it does not slow down', async () => {
    const { start, done } = given();
    const stop = start('one', { delayMs: 60 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(done).toHaveLength(0);
    await eventually(async () => done.length === PARTS);
    await stop();
  });
});

describe('a part of a sweep', () => {
  const { signal } = new AbortController();
  /** Sweeps so many entries, of which some fail. */
  const swept = async (count: number, fails: readonly number[] = []) => {
    const seen: number[] = [];
    const entries = async function* (): AsyncGenerator<number> {
      for (let entry = 1; entry <= count; entry++) yield entry;
    };
    const sweep = async (entry: number): Promise<void> => {
      seen.push(entry);
      if (fails.includes(entry)) throw new Error(`${entry} failed.`);
    };
    return { ...(await sweepPart(entries(), String, sweep, signal)), seen: seen.length };
  };

  it('has 100 entries, and is the last one if there are fewer', async () => {
    expect(await swept(250)).toMatchObject({ end: '100', seen: 100 });
    expect(await swept(99)).toMatchObject({ end: null, seen: 99 });
  });

  it('sweeps the other entries if some fail, and names the first failure', async () => {
    const { failure, seen } = await swept(5, [2, 4]);
    expect([seen, failure]).toEqual([5, new Error('2 failed.')]);
  });
});

describe('what a sweep remembers to skip', () => {
  it('is bounded, so that the memory of a process does not grow with the data', () => {
    const skipped = new SkippedEntries(2);
    for (const key of ['a', 'b', 'a', 'c']) skipped.add(key);
    expect(['a', 'b', 'c'].map((key) => skipped.has(key))).toEqual([true, true, false]);
  });
});
