import { describe, expect, it } from '@jest/globals';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { AbandonedInterviews, type AbandonedOptions } from './abandoned.js';
import { HostLease } from './host.js';

const RESUME_MS = 120_000;
const RETRY = { baseMs: 1_000, capMs: 60_000 };

/** A watch on a clock of its own, over the connections that the view lists. Their clients have dropped. */
const openRig = () => {
  const clock = { now: 0 };
  const listed = new Map<string, string>();
  const calls: string[] = [];
  const { leases } = openMemoryReadStore();
  const page = async () => ({
    items: [...listed].map(([connectionId, host]) => ({
      document: { connectionId, host, connected: false, timeFactor: 1 },
    })),
    nextCursor: null,
  });
  const ending = { interrupt: async (): Promise<void> => undefined };
  const watch = new AbandonedInterviews({
    leases,
    reader: { page } as unknown as AbandonedOptions['reader'],
    ending: {
      interrupt: (_, connectionId) => {
        calls.push(connectionId);
        return ending.interrupt();
      },
    },
    now: () => clock.now,
    resumeMs: RESUME_MS,
    retry: RETRY,
  });
  return {
    watch,
    listed,
    calls,
    ending,
    leases,
    /** Polls after a time, without awaiting the calls of `interrupt`. */
    after: (ms: number): Promise<boolean> => {
      clock.now += ms;
      return watch.poll();
    },
  };
};

/** A rig whose connection `a` has just been interrupted, or not: see `interrupt`. */
const interrupted = async (interrupt = async (): Promise<void> => undefined) => {
  const rig = openRig();
  rig.ending.interrupt = interrupt;
  rig.listed.set('a', 'h');
  await rig.after(0);
  // Its host is not known to be dead: it has twice the time.
  await rig.after(2 * RESUME_MS);
  return rig;
};

describe('an abandoned interview', () => {
  it('is interrupted by one call at a time, however long that takes', async () => {
    let end = (): void => undefined;
    const { calls, after, watch } = await interrupted(() => new Promise((resolve) => (end = resolve)));
    for (let polls = 0; polls < 3; polls++) await after(RESUME_MS);
    expect(calls).toEqual(['a']);
    end();
    await watch.settled();
  });

  it('is not interrupted again before the view has had time to show it', async () => {
    const { calls, after, watch } = await interrupted();
    await watch.settled();
    await after(RESUME_MS - 1);
    expect(calls).toEqual(['a']);
    await after(1);
    await watch.settled();
    expect(calls).toEqual(['a', 'a']);
  });

  it('that cannot be interrupted is tried again later after each failure', async () => {
    const { calls, after, watch } = await interrupted(async () => {
      throw new Error('The log is away.');
    });
    for (let failures = 1; failures < 6; failures++) {
      expect(calls).toHaveLength(failures);
      await watch.settled();
      // The random half of a wait may be left out.
      const waitMs = RETRY.baseMs * 2 ** (failures - 1);
      await after(waitMs / 2 - 1);
      expect(calls).toHaveLength(failures);
      await after(waitMs / 2 + 1);
    }
    await watch.settled();
  });

  it('is forgotten once the view no longer lists it', async () => {
    const { listed, after, watch } = await interrupted();
    await watch.settled();
    expect(await after(1_000)).toBe(true);
    listed.clear();
    expect(await after(1_000)).toBe(false);
    expect(watch.size).toBe(0);
  });

  it('leaves its host to be watched until that has no lease', async () => {
    const { listed, after, leases } = openRig();
    const lease = new HostLease({ leases, owner: 'm/1' });
    await lease.renew();
    listed.set('a', lease.host);
    await after(0);
    listed.clear();
    expect(await after(1_000)).toBe(true);
    await lease.release();
    expect(await after(1_000)).toBe(false);
  });
});
