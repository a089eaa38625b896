import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { Position } from '../../src/core/event-store.js';
import type { GenerationName, GuardedWrite, Lease, ReadStore } from '../../src/stores/read-store.js';
import { openMemoryReadStore } from '../support/memory-read-store.js';
import { generation as named, pointer } from './pointers.js';

/** One call, made on the store and on the model. Their answers are compared, but not their cursors. */
type Step = (store: ReadStore) => Promise<unknown>;

const INDEXES = { one: ['a', 'b', 'c'], two: ['d', 'e', 'b'] };
const NAMES = ['things.v1.g1', 'things.v1.g2'] as GenerationName[];

const placeOf = (n: number): Position => String(n).padStart(4, '0') as Position;
const position = fc.nat({ max: 6 }).map(placeOf);
const perhaps = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const id = fc.constantFrom('a', 'b', 'c', 'a\0', 'é', 'long'.repeat(100));
const part = fc.oneof(fc.constantFrom('', 'x', 'x\0', 'y', '💡'), fc.integer({ min: -2, max: 2 }));
/** An index lists only those that have all of its values. */
const keys = fc
  .record({ a: part, b: part, c: part, d: part, e: part }, { requiredKeys: ['a', 'b'] })
  .map((values) => ({ ...values }));
const name = fc.constantFrom(...NAMES);

/** The position and repairs that the writer takes for current; `undefined`: those of the stored document. */
const stale = fc.option(fc.record({ position: perhaps(position), repairs: fc.nat({ max: 2 }) }), {
  nil: undefined,
});

const change = fc.record({
  id,
  stale,
  /** By how many positions the write moves the document; 0: the write is a repair. */
  step: fc.nat({ max: 2 }),
  position,
  deleted: fc.boolean(),
  keys,
  body: fc.nat(),
});

const apply = fc
  .tuple(name, fc.uniqueArray(change, { selector: (made) => made.id, minLength: 1, maxLength: 5 }))
  .map(([generation, changes]): Step => async (store) => {
    const view = store.collection(generation, INDEXES);
    const stored = await view.getMany(changes.map((made) => made.id));
    const batch = changes.map(({ deleted, body, step, ...made }): GuardedWrite => {
      const read = made.stale ?? stored.get(made.id);
      const expected = read?.position ?? null;
      const expectedRepairs = expected === null ? 0 : (read?.repairs ?? 0);
      const at = expected === null ? made.position : placeOf(Number(expected) + step);
      const repairs = at === expected ? expectedRepairs + 1 : expectedRepairs;
      return {
        expected,
        expectedRepairs,
        document: { id: made.id, position: at, parkedAt: null, deleted, repairs, body: { value: body } },
        keys: made.keys,
      };
    });
    return view.apply(batch);
  });

const read = fc.tuple(name, fc.array(id)).map(([generation, ids]): Step => async (store) => {
  const view = store.collection(generation, INDEXES);
  const each = await Promise.all(ids.map((one) => view.get(one)));
  const all = [];
  for await (const stored of view.all()) all.push(stored);
  const many = [...(await view.getMany(ids))];
  return { each, many, heads: [...(await view.heads(ids))], all };
});

const walk = fc
  .record({
    generation: name,
    index: fc.constantFrom(...Object.keys(INDEXES)),
    prefix: fc.array(part, { maxLength: 2 }),
    limit: fc.integer({ min: 1, max: 4 }),
    reverse: fc.boolean(),
    bound: fc.oneof(
      fc.constant({}),
      part.map((upTo) => ({ upTo })),
      part.map((from) => ({ from })),
      fc.tuple(part, part).map(([from, upTo]) => ({ from, upTo })),
      fc.constantFrom('', 'x', 'x\0', 'é', '💡').map((startsWith) => ({ startsWith })),
    ),
  })
  .map(({ generation, bound, ...options }): Step => async (store) => {
    const view = store.collection(generation, INDEXES);
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await view.page({
        ...options,
        ...bound,
        ...(cursor !== undefined && { cursor }),
      });
      pages.push(page.items.map((item) => `${item.id} ${JSON.stringify(item.body)}`));
      cursor = page.next;
    }
    if ('startsWith' in bound) return pages;
    const counts = [1, 2, 1_000].map((limit) => view.count({ ...options, ...bound, limit }));
    return [pages, await Promise.all(counts)];
  });

const checkpointName = fc.constantFrom('things.v1.g1.0of2', 'things.v1.g2.0of2', 'reactor');
const advance = fc
  .tuple(checkpointName, perhaps(position), position)
  .map(([checkpoint, from, to]): Step => async (store) => [
    await store.checkpoints.advance(checkpoint, from, to),
    await store.checkpoints.get(checkpoint),
  ]);

const lease = perhaps(fc.record({ owner: fc.constantFrom('p', 'q'), counter: fc.nat({ max: 2 }) }));
const challenge = fc
  .tuple(lease, lease)
  .map(([expected, next]: [Lease | null, Lease | null]): Step => async (store) => [
    await store.leases.swap('lease', expected, next),
    await store.leases.get('lease'),
  ]);

const move = fc
  .record({
    view: fc.constantFrom('things', 'others'),
    stale: fc.option(perhaps(fc.integer({ min: 1, max: 4 })), { nil: undefined }),
    live: fc.integer({ min: 1, max: 3 }),
    former: perhaps(fc.integer({ min: 1, max: 3 })),
  })
  .map(({ view, stale: told, live, former }): Step => async (store) => {
    const expected = told === undefined ? ((await store.pointers.get(view))?.revision ?? null) : told;
    const next = pointer((expected ?? 0) + 1, {
      live: named(live),
      former: former === null ? null : { generation: named(former), since: '2026-01-05T09:00:00.000Z' },
    });
    return [await store.pointers.swap(view, expected, next), await store.pointers.get(view)];
  });

const housekeeping = fc.oneof(
  name.map(
    (generation): Step =>
      (store) =>
        store.drop(generation),
  ),
  fc.constant<Step>(async (store) => [...(await store.generations())].sort()),
);

const step = fc.oneof(
  { weight: 6, arbitrary: apply },
  { weight: 2, arbitrary: read },
  { weight: 5, arbitrary: walk },
  { weight: 3, arbitrary: advance },
  { weight: 2, arbitrary: challenge },
  { weight: 2, arbitrary: move },
  { weight: 1, arbitrary: housekeeping },
);

/** Makes random sequences of calls on a store and on the in-memory one, which must answer alike. */
export async function readStoreModel(
  open: () => Promise<{ store: ReadStore; done: () => Promise<void> }>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const { store, done } = await open();
      const model = openMemoryReadStore();
      try {
        for (const take of steps) expect(await take(store)).toEqual(await take(model));
      } finally {
        await done();
      }
    }),
    { numRuns: 40 },
  );
}
