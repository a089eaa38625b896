import { describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../test/support/memory-read-store.js';
import { accounts, added, record } from '../../test/support/projection-rig.js';
import type { Position } from '../event-store/port.js';
import type { Generation, GenerationName, ReadStore } from '../read-store/port.js';
import { fingerprintOf } from './fingerprint.js';
import { checkpointNames, collectionOf, promote, resolveGeneration, sweep } from './generations.js';
import type { AnyView } from './view.js';

const changed: AnyView = { ...accounts, version: 2 };

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
    const standing = await readStore.checkpoints.get(name);
    await readStore.checkpoints.advance(name, 0, standing?.position ?? null, position as Position);
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

describe('A view’s generation', () => {
  it('is made at the first start and found again at the next', async () => {
    const { stores, readStore, said } = rig();
    const first = await resolveGeneration(stores, accounts, 3);
    expect(first).toMatchObject({
      stage: 'live',
      generation: { name: 'accounts.v1.g1', segments: 3, log: stores.eventStore.logId },
    });
    expect(await readStore.pointers.get('accounts')).toEqual(first.generation);
    expect(await resolveGeneration(stores, accounts, 1)).toEqual(first);
    expect(said).toEqual([]);
  });

  it('is the same for processes that start at once', async () => {
    const { stores } = rig();
    const all = await Promise.all([1, 2, 3].map(() => resolveGeneration(stores, accounts)));
    expect(new Set(all.map(({ generation }) => generation.name)).size).toBe(1);
  });

  it('is thrown away with one clear message where it was made from another log', async () => {
    const { stores, readStore, said } = rig();
    const first = await resolveGeneration(stores, accounts);
    const other = { ...stores, eventStore: new MemoryEventStore() };
    const second = await resolveGeneration(other, accounts);
    expect(second).toMatchObject({ stage: 'live', generation: { number: 2, log: other.eventStore.logId } });
    expect((await readStore.pointers.get('accounts'))?.name).not.toBe(first.generation.name);
    expect(said).toEqual([
      'The read model "accounts" was made from another log; it is thrown away and rebuilt from the log.',
    ]);
  });

  it('is thrown away where it stands beyond the end of the log', async () => {
    const { stores, readStore, said, eventStore } = rig();
    const [position] = await record(eventStore, added('a', 1));
    const { generation } = await resolveGeneration(stores, accounts, 2);
    await stand(readStore, generation, position);
    expect((await resolveGeneration(stores, accounts)).generation).toEqual(generation);
    eventStore.log.pop();
    expect((await resolveGeneration(stores, accounts)).generation.number).toBe(2);
    expect(said).toHaveLength(1);
  });

  it('folded by other code goes on serving while the new one is built, in all processes the same', async () => {
    const { stores, readStore } = rig();
    const former = await resolveGeneration(stores, accounts);
    const building = await resolveGeneration(stores, changed);
    expect(building).toMatchObject({ stage: 'building', generation: { name: 'accounts.v2.g2' } });
    expect(await resolveGeneration(stores, changed)).toEqual(building);
    expect(await readStore.pointers.get('accounts')).toEqual(former.generation);
  });

  it('is replaced only once the new one stands at or beyond it, so that no read goes back in time', async () => {
    const { stores, readStore, eventStore } = rig();
    const [first, second] = await record(eventStore, added('a', 1), added('a', 2));
    const former = (await resolveGeneration(stores, accounts)).generation;
    await stand(readStore, former, second);
    const { generation } = await resolveGeneration(stores, changed, 2);
    expect(await promote(stores, changed, generation)).toBe('behind');
    await stand(readStore, generation, first);
    expect(await promote(stores, changed, generation)).toBe('behind');
    for (const name of checkpointNames(generation)) {
      await readStore.checkpoints.advance(name, 0, first as Position, second as Position);
    }
    expect(await promote(stores, changed, generation)).toBe('promoted');
    expect(await readStore.pointers.get('accounts')).toEqual(generation);
    expect(await promote(stores, changed, generation)).toBe('promoted');
    expect((await resolveGeneration(stores, changed)).stage).toBe('live');
  });

  it('given up for another is not promoted', async () => {
    const { stores } = rig();
    await resolveGeneration(stores, accounts);
    const { generation } = await resolveGeneration(stores, changed);
    await resolveGeneration(stores, accounts);
    expect(await promote(stores, changed, generation)).toBe('superseded');
  });

  it('never gets a name that was used before', async () => {
    const { stores } = rig();
    const names = new Set<GenerationName>();
    for (let n = 0; n < 5; n++) {
      names.add(
        (await resolveGeneration({ ...stores, eventStore: new MemoryEventStore() }, accounts)).generation
          .name,
      );
    }
    expect(names.size).toBe(5);
  });

  it('is swept once nothing points to it; what serves and what is being built stays', async () => {
    const { stores, readStore, eventStore } = rig();
    const [position] = await record(eventStore, added('a', 1));
    const former = (await resolveGeneration(stores, accounts)).generation;
    await stand(readStore, former, position);
    const building = (await resolveGeneration(stores, changed)).generation;
    await stand(readStore, building, position);
    expect(await sweep(readStore)).toEqual([]);
    await promote(stores, changed, building);
    expect(await sweep(readStore)).toEqual([former.name]);
    expect(await readStore.generations()).toEqual([building.name]);
  });
});

describe('A view’s fingerprint', () => {
  it('changes with version, fold, handled types and indexes, and with nothing else', () => {
    const others: AnyView[] = [
      { ...accounts, version: 2 },
      { ...accounts, handles: ['added'] },
      { ...accounts, evolve: (document) => document },
      { ...accounts, documentId: () => 'x' },
      { ...accounts, initial: () => ({}) },
      { ...accounts, indexes: { byTotal: () => null } },
    ];
    const prints = [accounts, ...others].map((view) => fingerprintOf(view));
    expect(new Set(prints).size).toBe(prints.length);
    expect(fingerprintOf({ ...accounts })).toBe(fingerprintOf(accounts));
  });
});
