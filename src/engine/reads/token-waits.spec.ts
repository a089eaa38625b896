import { describe, expect, it } from '@jest/globals';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts } from '../../../test/support/projection-rig.js';
import type { LogId } from '../../core/event-store.js';
import type { Generation, GenerationName } from '../../stores/read-store.js';
import { Members } from '../ownership/members.js';
import { builderLeaseName } from '../segments.js';
import { OrphanDetector } from './tokens.js';

const SEGMENT = 'accounts.v1.g1.1of2';
const OTHER = 'accounts.v1.g1.2of2';

const generation = (fingerprint: string): Generation => ({
  name: 'accounts.v1.g1' as GenerationName,
  number: 1,
  version: 1,
  log: 'log' as LogId,
  fingerprint,
  segments: 2,
});

const rig = () => {
  const readStore = openMemoryReadStore(new MemoryDatabase());
  let now = 1_000_000;
  const orphaned = new OrphanDetector({ leases: readStore.leases, now: () => now });
  const others = generation('of other code');
  return {
    readStore,
    pass: (ms: number) => (now += ms),
    isAny: (segments: readonly string[] = [SEGMENT], of = others) => orphaned.isAny(accounts, of, segments),
    /** A process that feeds, or builds. */
    process: (owner: string) =>
      new Members({ leases: readStore.leases, owner, deadMs: 5_000, isGone: () => false, now: () => now }),
  };
};

describe('A segment that readers wait for', () => {
  it('of the code that runs here is waited for, also while nobody feeds it', async () => {
    const { pass, isAny } = rig();
    for (let n = 0; n < 5; n++, pass(5_000))
      expect(await isAny([SEGMENT], generation(accounts.fingerprint))).toBe(false);
  });

  it('that nobody has any more is given up once it was not handed over for long', async () => {
    const { pass, isAny } = rig();
    expect(await isAny()).toBe(false);
    pass(4_900);
    expect(await isAny()).toBe(false);
    pass(200);
    expect(await isAny()).toBe(true);
    // Of another one nothing is known yet.
    expect(await isAny([OTHER])).toBe(false);
    expect(await isAny([OTHER, SEGMENT])).toBe(true);
  });

  it.each([
    ['feeds', false],
    ['builds', true],
  ])('is waited for while the process that %s it lives, and given up after its death', async (_, builds) => {
    const { readStore, pass, isAny, process } = rig();
    const { leases } = readStore;
    const lease = builds ? builderLeaseName(SEGMENT) : SEGMENT;
    const slots = process('host/1/a');
    await slots.poll();
    await slots.renew();
    expect(await leases.swap(lease, null, { owner: 'host/1/a', counter: 1 })).toBe(true);
    for (let n = 0; n < 20; n++, pass(1_000)) {
      await slots.renew();
      expect(await isAny()).toBe(false);
    }
    // Killed: its lease and its slot stay in the store unchanged.
    pass(6_000);
    expect(await isAny()).toBe(true);
    // One that takes its place is a reason to wait again.
    expect(
      await leases.swap(lease, { owner: 'host/1/a', counter: 1 }, { owner: 'host/2/b', counter: 2 }),
    ).toBe(true);
    expect(await isAny()).toBe(false);
  });

  it('is given up again when another generation of the same code serves, not before its own time', async () => {
    const { pass, isAny } = rig();
    await isAny();
    pass(5_000);
    expect(await isAny()).toBe(true);
    const next = { ...generation('of other code'), name: 'accounts.v1.g2' as GenerationName };
    expect(await isAny(['accounts.v1.g2.1of2'], next)).toBe(false);
    pass(5_000);
    expect(await isAny(['accounts.v1.g2.1of2'], next)).toBe(true);
  });

  it('asks the store no more than it must, however many readers wait, and again after it was away', async () => {
    const { readStore } = rig();
    let asked = 0;
    let away = true;
    const leases = {
      ...readStore.leases,
      get: async (name: string) => {
        asked++;
        if (away) throw new Error('away');
        return await readStore.leases.get(name);
      },
    };
    let now = 0;
    const orphaned = new OrphanDetector({ leases, now: () => now });
    const ask = () => orphaned.isAny(accounts, generation('of other code'), [SEGMENT]);
    await expect(ask()).rejects.toThrow('away');
    away = false;
    asked = 0;
    await Promise.all(Array.from({ length: 50 }, ask));
    // Two of the segment for each, the slots once for all.
    expect(asked).toBeLessThanOrEqual(50 * 2 + 4);
    now += 10_000;
    expect(await ask()).toBe(true);
  });
});
