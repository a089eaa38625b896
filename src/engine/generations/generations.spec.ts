import { describe, expect, it } from '@jest/globals';
import { startProjector } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import {
  accounts,
  added,
  markingSealer,
  plainCodec,
  record,
  wrapEventStore,
} from '../../../test/support/projection-rig.js';
import type { Position } from '../../core/event-store.js';
import type { Generation, GenerationName, Pointer, ReadStore } from '../../stores/read-store.js';
import { createViewReader } from '../reads/reads.js';
import { checkpointNames, collectionOf, newGeneration, sweep } from './generations.js';
import { building, frozen, barred, swapped, withoutFormer, ensurePointer, withoutNext } from './pointer.js';

function rig() {
  const said: string[] = [];
  const say = (_: object, message: string): void => void said.push(message);
  const eventStore = new MemoryEventStore();
  const readStore = openMemoryReadStore(new MemoryDatabase());
  const stores = { eventStore, readStore, log: { info: say, warn: say, error: say } };
  return { ...stores, stores, said };
}

async function stand(readStore: ReadStore, generation: Generation, position: Position | undefined) {
  for (const name of checkpointNames(generation)) {
    await readStore.checkpoints.advance(name, await readStore.checkpoints.get(name), position as Position);
  }
  const document = {
    id: generation.name,
    position: position as Position,
    parkedAt: null,
    deleted: false,
    body: 1,
  };
  await collectionOf(readStore, accounts, generation).apply([{ expected: null, document, keys: {} }]);
}

async function move(readStore: ReadStore, pointer: Pointer, next: Pointer | null): Promise<Pointer> {
  if (next === null) throw new Error('There is no such move.');
  expect(await readStore.pointers.swap('accounts', pointer.revision, next)).toBe(true);
  return next;
}

describe('A view’s pointer', () => {
  it('is made at the first start and found again at the next', async () => {
    const { stores, readStore, said } = rig();
    const first = await ensurePointer(stores, accounts, 3);
    expect(first).toMatchObject({
      revision: 1,
      live: { name: 'accounts.v1.g1', segments: 3, log: stores.eventStore.life },
      next: null,
      former: null,
    });
    expect(await readStore.pointers.get('accounts')).toEqual(first);
    expect(await ensurePointer(stores, accounts, 1)).toEqual(first);
    expect(said).toEqual([]);
  });

  it('is the same for processes that start at once', async () => {
    const { stores } = rig();
    const all = await Promise.all([1, 2, 3].map(() => ensurePointer(stores, accounts, 1)));
    expect(new Set(all.map(({ live }) => live.name)).size).toBe(1);
  });

  it('begins anew with one clear message where its generations come from another log', async () => {
    const { stores, readStore, said } = rig();
    const first = await ensurePointer(stores, accounts, 1);
    const other = { ...stores, eventStore: new MemoryEventStore() };
    const second = await ensurePointer(other, accounts, 1);
    expect(second.live).toMatchObject({ number: 2, log: other.eventStore.life });
    expect(second.turn).toBeGreaterThan(first.turn);
    expect((await readStore.pointers.get('accounts'))?.live.name).not.toBe(first.live.name);
    expect(said).toEqual([
      'The read model "accounts" was made from another log, or before this one was restored from a backup; it is thrown away and rebuilt from the log.',
    ]);
  });

  it('begins anew if any of its generations is beyond the end of the log', async () => {
    const { stores, readStore, said, eventStore } = rig();
    const [position] = await record(eventStore, added('a', 1));
    const pointer = await ensurePointer(stores, accounts, 2);
    const next = await newGeneration(stores, accounts, 2);
    await move(readStore, pointer, building(pointer, next, { operation: null, hold: true }));
    await stand(readStore, next, position);
    expect((await ensurePointer(stores, accounts, 1)).live).toEqual(pointer.live);
    eventStore.log.pop();
    const doubt = { doubtMs: 100 };
    expect(await ensurePointer(stores, accounts, 1, doubt)).toMatchObject({
      live: { number: 3 },
      next: null,
    });
    expect(said).toHaveLength(1);
  });

  it('begins anew on a log that was put back from a backup and has outgrown its checkpoints', async () => {
    const { readStore, said, stores, eventStore } = rig();
    const view = { ...stores, views: [accounts], codec: plainCodec(), sealer: markingSealer };
    const [, last] = await record(eventStore, added('a', 1), added('a', 2));
    const projector = startProjector({ ...view, owner: 'test' });
    const reader = createViewReader({ eventStore, readStore, sealer: markingSealer });
    await eventuallyHolds(async () => (await reader.get(accounts, 'a'))?.document.total === 3);
    await projector.stop();
    const before = await readStore.pointers.get('accounts');
    const [checkpoint] = checkpointNames(before!.live);
    expect(await readStore.checkpointEvent(checkpoint!)).toBe(
      eventStore.log.find(({ position }) => position === last)?.id,
    );
    // The same log, and what it has been moved on by.
    await record(eventStore, added('b', 1));
    expect(await ensurePointer(stores, accounts, 1)).toEqual(before);

    const restored = new MemoryEventStore();
    Object.assign(restored, { life: eventStore.life });
    await record(restored, added('a', 1), added('c', 5), added('c', 6), added('c', 7));
    const anew = await ensurePointer({ ...stores, eventStore: restored }, accounts, 1);
    expect(anew.live.number).toBe(before!.live.number + 1);
    expect(said).toContain(
      'The read model "accounts" has folded events that the log does not hold any more; it is thrown away and rebuilt from the log.',
    );
  });

  it('begins anew if one segment alone has folded events that the log does not hold', async () => {
    const { stores, eventStore, readStore } = rig();
    const [position] = await record(eventStore, added('a', 1));
    const pointer = await ensurePointer(stores, accounts, 2);
    const ids = [eventStore.log[0]?.id ?? null, 'another'];
    for (const [n, name] of checkpointNames(pointer.live).entries())
      await readStore.checkpoints.advance(name, null, position as Position, ids[n]);
    expect((await ensurePointer(stores, accounts, 2)).live.number).toBe(pointer.live.number + 1);
  });

  it('stays as it is if a checkpoint moves while it is compared with the log', async () => {
    const { stores, eventStore, readStore } = rig();
    const positions = await record(eventStore, added('a', 1), added('a', 2));
    const [first, second] = eventStore.log;
    const pointer = await ensurePointer(stores, accounts, 1);
    const [name = ''] = checkpointNames(pointer.live);
    await readStore.checkpoints.advance(name, null, positions[0] as Position, first?.id);
    const checkpointEvent: ReadStore['checkpointEvent'] = async (one) => {
      await readStore.checkpoints.advance(one, positions[0] ?? null, positions[1] as Position, second?.id);
      return readStore.checkpointEvent(one);
    };
    const moving = { ...readStore, checkpointEvent };
    expect((await ensurePointer({ ...stores, readStore: moving }, accounts, 1)).live).toEqual(pointer.live);
  });

  it('stays as it is if the log’s end is told wrong for a while, as by a leader that was deposed', async () => {
    const { stores, eventStore, readStore, said } = rig();
    const positions = await record(eventStore, added('a', 1), added('a', 2));
    const pointer = await ensurePointer(stores, accounts, 2);
    await stand(readStore, pointer.live, positions[1]);
    let asked = 0;
    const head = async () => (++asked < 4 ? (positions[0] as Position) : eventStore.head());
    const stale = { ...stores, eventStore: wrapEventStore(eventStore, { head }) };
    expect(await ensurePointer(stale, accounts, 1)).toEqual(pointer);
    const away = () => Promise.reject(new Error('It is away.'));
    const gone = { ...stores, eventStore: wrapEventStore(eventStore, { head: away }) };
    await expect(ensurePointer(gone, accounts, 1)).rejects.toThrow('away');
    const ending = new AbortController();
    const [{ signal }, wrong] = [ending, { ...stores, eventStore: new MemoryEventStore() }];
    Object.assign(wrong.eventStore, { life: eventStore.life });
    const doubting = ensurePointer(wrong, accounts, 1, { signal });
    setTimeout(() => ending.abort(), 20);
    await expect(doubting).rejects.toThrow();
    expect((await readStore.pointers.get('accounts'))?.live).toEqual(pointer.live);
    expect(said).toEqual([]);
  });
});

describe('A generation', () => {
  it('never gets a name that was used before', async () => {
    const { stores } = rig();
    const names = new Set<GenerationName>();
    for (let n = 0; n < 5; n++) names.add((await newGeneration(stores, accounts, 1)).name);
    expect(names.size).toBe(5);
  });

  it('is swept once its view’s pointer does not name it', async () => {
    const { stores, readStore, eventStore } = rig();
    const [position] = await record(eventStore, added('a', 1));
    let pointer = await ensurePointer(stores, accounts, 1);
    const former = pointer.live;
    await stand(readStore, former, position);
    const next = await newGeneration(stores, accounts, 1);
    pointer = await move(readStore, pointer, building(pointer, next, { operation: null, hold: false }));
    await stand(readStore, next, position);
    expect(await sweep(readStore)).toEqual([]);
    pointer = await move(readStore, pointer, frozen(pointer, next.name));
    pointer = await move(readStore, pointer, barred(pointer, position as Position));
    pointer = await move(readStore, pointer, swapped(pointer, 'asked', '2026-01-01T00:00:00.000Z'));
    expect(pointer).toMatchObject({ live: next, former: { generation: former }, next: null, turn: 2 });
    expect(await sweep(readStore)).toEqual([]);
    await move(readStore, pointer, withoutFormer(pointer));
    expect(await sweep(readStore)).toEqual([former.name]);
    expect(await readStore.generations()).toEqual([next.name]);
  });
});

describe('A generation that nobody got to feed', () => {
  it('is swept with the leases of who died before its first checkpoint', async () => {
    const { stores, readStore } = rig();
    let pointer = await ensurePointer(stores, accounts, 1);
    const next = await newGeneration(stores, accounts, 1);
    pointer = await move(readStore, pointer, building(pointer, next, { operation: null, hold: false }));
    const lease = `${next.name}.0of1.builder`;
    await readStore.leases.swap(lease, null, { owner: 'dead', counter: 1 });
    expect(await sweep(readStore)).toEqual([]);
    await move(readStore, pointer, withoutNext(pointer));
    expect(await sweep(readStore)).toEqual([next.name]);
    expect(await readStore.leases.get(lease)).toBeNull();
  });
});
