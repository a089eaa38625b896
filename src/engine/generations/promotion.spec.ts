import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts, added, markingSealer, record } from '../../../test/support/projection-rig.js';
import type { Position } from '../../core/event-store.js';
import type { Generation, GenerationName, ReadStore } from '../../stores/read-store.js';
import { createViewReader } from '../reads/reads.js';
import { checkpointNames, collectionOf, newGeneration } from './generations.js';
import { barred, building, first, frozen, nextIs, swapped, withoutFormer } from './pointer.js';
import { promote } from './promotion.js';

/** The account `a` with this total, as a feeder of the generation leaves it at `position`. */
async function fold(
  readStore: ReadStore,
  generation: Generation,
  total: number,
  position: Position,
  from: Position | null = null,
): Promise<void> {
  const body = { sealed: { total, entries: [], closed: false } };
  const document = { id: 'a', position, parkedAt: null, deleted: false, body };
  await collectionOf(readStore, accounts, generation).apply([{ expected: from, document, keys: { total } }]);
  const [name = ''] = checkpointNames(generation);
  await readStore.checkpoints.advance(name, from, position);
}

const TO = {
  view: 'accounts',
  operation: 'r',
  turn: 1,
  comparing: null,
  now: () => '2026-01-01T00:00:00.000Z',
};

/** A generation that serves the account `a` and one that is about to, both at the log's end. */
async function arrange() {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const stores = { eventStore, readStore };
  const [one] = await record(eventStore, added('a', 1));
  const live = await newGeneration(stores, accounts, 1);
  const next = await newGeneration(stores, accounts, 1);
  for (const generation of [live, next]) await fold(readStore, generation, 1, one!);
  await readStore.pointers.swap('accounts', null, first(live));
  const begun = building(first(live), next, { operation: 'r', hold: false });
  await readStore.pointers.swap('accounts', 1, begun);
  const ready = nextIs(begun, next.name, { ready: true })!;
  await readStore.pointers.swap('accounts', 2, ready);
  const reader = createViewReader({ ...stores, sealer: markingSealer });
  const page = { index: 'byTotal', prefix: [], limit: 10 };
  const reads: Record<string, () => Promise<number | undefined>> = {
    get: async () => (await reader.get(accounts, 'a'))?.document.total,
    page: async () => (await reader.page(accounts, page)).items[0]?.document.total,
  };
  return { database, eventStore, readStore, live, next, one: one!, ready, reads };
}

describe('A promotion', () => {
  it('is carried out once, also by a process that was held up until after a rollback', async () => {
    const { eventStore, readStore, live, next } = await arrange();
    const { signal } = new AbortController();
    const stores = { eventStore, readStore, signal };
    const asked = { ...TO, ...stores, to: next };
    expect((await promote(asked)).kind).toBe('promoted');
    const back = await promote({ ...TO, ...stores, operation: 'back', to: live, turn: 2 });
    expect(back.kind).toBe('promoted');
    expect(await promote(asked)).toEqual({ kind: 'again' });
    expect(await readStore.pointers.get('accounts')).toMatchObject({ live, turn: 3, operation: 'back' });
  });
});

describe('A promotion that compares', () => {
  it('also compares what came until the barrier, and ends the freeze if that differs', async () => {
    const { eventStore, readStore, live, next } = await arrange();
    const { signal } = new AbortController();
    const frozenAt: boolean[] = [];
    const since = async (): Promise<string | null> => {
      const isFrozen = (await readStore.pointers.get('accounts'))?.freeze !== null;
      frozenAt.push(isFrozen);
      return isFrozen ? 'They differ.' : null;
    };
    const comparing = { all: async () => null, since };
    const outcome = await promote({ ...TO, eventStore, readStore, signal, to: next, comparing });
    expect(outcome).toEqual({ kind: 'differs', difference: 'They differ.' });
    expect(frozenAt).toEqual([false, true]);
    expect(await readStore.pointers.get('accounts')).toMatchObject({ live, turn: 1, freeze: null });
  });
});

describe('The moves of a pointer', () => {
  it('remember the code whose generation was rolled back, until one is promoted again', async () => {
    const { next, one, ready } = await arrange();
    const serving = swapped(barred(frozen({ ...ready, declined: 'other' }, next.name), one), null, 'now')!;
    expect(serving.declined).toBeNull();
    const back = swapped(barred(frozen(serving, ready.live.name), one), 'back', 'now')!;
    expect(back.declined).toBe(next.fingerprint);
  });

  it('drop a former generation with a freeze for it, and with no other', async () => {
    const { next, one, ready } = await arrange();
    const serving = swapped(barred(frozen(ready, next.name), one), null, 'now')!;
    const another = { ...next, name: `${next.name}0` as GenerationName };
    const begun = building(serving, another, { operation: null, hold: false });
    expect(withoutFormer(frozen(begun, another.name)).freeze).toEqual({ to: another.name, barrier: null });
    expect(withoutFormer(frozen(begun, ready.live.name)).freeze).toBeNull();
  });
});

describe('While a promotion has frozen the view and looks for the log’s end', () => {
  it.each(['get', 'page'])('no %s shows what the other generation may not have come to', async (kind) => {
    const { database, eventStore, readStore, live, next, one, reads } = await arrange();
    const seen: (number | undefined)[] = [];
    const read = async (): Promise<void> => void seen.push(await reads[kind]!());
    await read();
    const reading: Promise<void>[] = [];
    // After the promotion has read the log's end, and before readers see it as the barrier.
    const promoter = openMemoryReadStore(database, {
      before: async ({ operation }) => {
        const frozen = (await readStore.pointers.get('accounts'))?.freeze;
        if (operation !== 'pointers.swap' || frozen?.barrier !== null || reading.length > 0) return;
        const [two] = await record(eventStore, added('a', 1));
        await fold(readStore, live, 2, two!, one);
        reading.push(read());
        await sleep(30);
      },
    });
    const { signal } = new AbortController();
    const promoted = await promote({ ...TO, eventStore, readStore: promoter, to: next, signal });
    expect(promoted.kind).toBe('promoted');
    await read();
    await Promise.all(reading);
    expect(reading).toHaveLength(1);
    expect(seen).toEqual([1, 1, 1]);
  });

  it.each(['get', 'page'])('a %s waits for nothing where nothing was stored since', async (kind) => {
    const { readStore, next, one, ready, reads } = await arrange();
    const freezing = frozen(ready, next.name);
    await readStore.pointers.swap('accounts', ready.revision, freezing);
    await readStore.pointers.swap('accounts', freezing.revision, barred(freezing, one));
    const started = performance.now();
    expect(await reads[kind]!()).toBe(1);
    expect(performance.now() - started).toBeLessThan(500);
    expect((await readStore.pointers.get('accounts'))?.freeze?.barrier).toBe(one);
  });
});
