import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { START, type Position } from '../../src/core/event-store.js';
import { BadCursor, DocumentTooLarge } from '../../src/stores/errors.js';
import type {
  GenerationName,
  GuardedWrite,
  Heartbeat,
  IndexKey,
  Indexes,
  Json,
  Keys,
  PageOptions,
  ReadStore,
  StoredDocument,
  ViewCollection,
} from '../../src/stores/read-store.js';
import { defaced, FULL_POINTER, generation, pointer } from './pointers.js';
import { readStoreModel } from './read-store-model.js';

/** A new, empty store. Each `connect` opens another handle on it. The suite closes the handles that it opened. */
export interface ReadStoreUnderTest {
  connect(): Promise<ReadStore>;
  /** Called after every handle was closed. */
  remove(): Promise<void>;
}

export const at = (n: number): Position => String(n).padStart(16, '0') as Position;

const VIEW = 'things.v1.g1' as GenerationName;
export const INDEXES = { byOwner: ['owner', 'place', 'further'], byState: ['state'] };

export const document = (id: string, position: number, body: Json = {}, deleted = false): StoredDocument => ({
  id,
  position: at(position),
  parkedAt: null,
  deleted,
  body,
});

/** A document's keys by index. A part that a key leaves out sorts as the lowest value. */
export const listedBy = (indexes: Indexes, keys: Readonly<Record<string, IndexKey>>): Keys =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([index, key]) => {
      const names = indexes[index] ?? [];
      return Array.from({ length: Math.max(names.length, key.length) }, (_, n) => [
        names[n] ?? `${index}${n}`,
        key[n] ?? Number.MIN_SAFE_INTEGER,
      ]);
    }),
  );

export const write = (
  stored: StoredDocument,
  expected: number | null = null,
  keys: Readonly<Record<string, IndexKey>> = {},
): GuardedWrite => ({
  expected: expected === null ? null : at(expected),
  document: stored,
  keys: listedBy(INDEXES, keys),
});

/** A write, a fold or a repair, over a document that was read at this position with so many repairs. */
export const writeOver = (
  stored: StoredDocument,
  [expected, expectedRepairs]: readonly [position: number, repairs: number],
  keys: Readonly<Record<string, IndexKey>> = {},
): GuardedWrite => ({ ...write(stored, expected, keys), expectedRepairs });

export const repaired = (stored: StoredDocument, repairs: number): StoredDocument => ({ ...stored, repairs });

/** Every id of a list, page by page. */
async function list(view: ViewCollection, options: Omit<PageOptions, 'cursor'>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await view.page(cursor === undefined ? options : { ...options, cursor });
    ids.push(...page.items.map(({ id }) => id));
    expect(page.items.length).toBeLessThanOrEqual(options.limit);
    cursor = page.next;
  }
  return ids;
}

async function everything(view: ViewCollection): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for await (const stored of view.all()) found.push(stored);
  return found;
}

/** What every read store must do. Bound to each adapter, so that none can leave a promise out. */
export function readStoreContract(name: string, open: () => Promise<ReadStoreUnderTest>): void {
  describe(`${name} as a read store`, () => {
    let fixture: ReadStoreUnderTest;
    let handles: ReadStore[];
    let store: ReadStore;
    let view: ViewCollection;

    const connect = async (): Promise<ReadStore> => {
      const handle = await fixture.connect();
      handles.push(handle);
      return handle;
    };

    beforeEach(async () => {
      handles = [];
      fixture = await open();
      store = await connect();
      view = store.collection(VIEW, INDEXES);
    });

    afterEach(async () => {
      await Promise.all(handles.map((handle) => handle.close()));
      await fixture.remove();
    });

    it('shows by its head whether a document has changed: by a fold, a repair or a removal', async () => {
      const ids = ['a', 'b', 'none'];
      const heads = async () => Object.fromEntries(await view.heads(ids));
      expect(await heads()).toEqual({});
      await view.apply([write(document('a', 5, 'one')), write(document('b', 1))]);
      const b = { position: at(1), repairs: 0 };
      expect(await heads()).toEqual({ a: { position: at(5), repairs: 0 }, b });
      await view.apply([writeOver(repaired(document('a', 5, 'two'), 1), [5, 0])]);
      expect(await heads()).toEqual({ a: { position: at(5), repairs: 1 }, b });
      await view.apply([writeOver(repaired(document('a', 7, 'two', true), 1), [5, 1])]);
      expect(await heads()).toEqual({ a: { position: at(7), repairs: 1 }, b });
    });

    describe('guarded writes', () => {
      it('inserts where there is no document, and reads back what was written', async () => {
        const stored = { ...document('a', 5, { n: 1 }), parkedAt: at(3) };
        expect(await view.apply([write(stored)])).toEqual(['written']);
        expect(await view.get('a')).toEqual(stored);
        expect(await view.get('b')).toBeNull();
        expect(await view.getMany(['b', 'a'])).toEqual(new Map([['a', stored]]));
      });

      it('replaces a document only if it is at exactly the position that was read', async () => {
        await view.apply([write(document('a', 5, 'first'))]);
        expect(await view.apply([write(document('a', 9, 'stale'), 4)])).toEqual(['behind']);
        expect(await view.apply([write(document('a', 9, 'insert'), null)])).toEqual(['behind']);
        expect(await view.get('a')).toEqual(document('a', 5, 'first'));
        expect(await view.apply([write(document('a', 9, 'second'), 5)])).toEqual(['written']);
        expect(await view.get('a')).toEqual(document('a', 9, 'second'));
      });

      it('never accepts a lower position in place of the one that was read', async () => {
        await view.apply([write(document('a', 5, 'standing'))]);
        // A writer that read a newer state elsewhere: a guard of "less than ours" would let it through.
        expect(await view.apply([write(document('a', 9, 'lost update'), 7)])).toEqual(['behind']);
        expect((await view.get('a'))?.body).toBe('standing');
      });

      it('answers a refused writer whether another one has already written it', async () => {
        await view.apply([write(document('a', 5))]);
        expect(await view.apply([write(document('a', 5))])).toEqual(['ahead']);
        expect(await view.apply([write(document('a', 4), 3)])).toEqual(['ahead']);
        expect(await view.apply([write(document('a', 6), 4)])).toEqual(['behind']);
        expect(await view.apply([write(document('gone', 6), 4)])).toEqual(['behind']);
      });

      it('treats each write of a batch on its own and answers in its order', async () => {
        await view.apply([write(document('b', 2, 'old'))]);
        const results = await view.apply([
          write(document('a', 3)),
          write(document('b', 3, 'refused'), 1),
          write(document('c', 3)),
          write(document('d', 3), 2),
        ]);
        expect(results).toEqual(['written', 'behind', 'written', 'behind']);
        expect((await everything(view)).map(({ id, position }) => [id, position])).toEqual([
          ['a', at(3)],
          ['b', at(2)],
          ['c', at(3)],
        ]);
        expect(await view.apply([])).toEqual([]);
      });

      it('refuses a batch that names a document twice, or an undeclared index', async () => {
        await expect(view.apply([write(document('a', 1)), write(document('a', 2), 1)])).rejects.toThrow(
          TypeError,
        );
        await expect(view.apply([write(document('b', 1), null, { byNothing: ['x'] })])).rejects.toThrow(
          TypeError,
        );
        await expect(view.apply([write(document('', 1))])).rejects.toThrow(TypeError);
        expect(await everything(view)).toEqual([]);
      });

      it('lets one of eight concurrent writers through at each position', async () => {
        const others = [await connect(), await connect(), await connect()];
        const writers = [...others, ...others, store, store];
        await view.apply([write(document('shared', 0, { count: 0 }))]);
        const won = await Promise.all(
          writers.map(async (writer) => {
            const mine = writer.collection(VIEW, INDEXES);
            let wins = 0;
            for (let round = 0; round < 12; round++) {
              const read = await mine.get('shared');
              const { count } = read?.body as { count: number };
              const next = Number(read?.position) + 1;
              const [result] = await mine.apply([
                write(document('shared', next, { count: count + 1 }), next - 1),
              ]);
              if (result === 'written') wins++;
            }
            return wins;
          }),
        );
        const total = won.reduce((sum, wins) => sum + wins, 0);
        expect(total).toBeGreaterThan(0);
        expect(await view.get('shared')).toEqual(document('shared', total, { count: total }));
      });

      it('shows each handle what another wrote', async () => {
        const other = (await connect()).collection(VIEW, INDEXES);
        expect(await other.get('a')).toBeNull();
        await view.apply([write(document('a', 1, 'mine'), null, { byOwner: ['o'] })]);
        expect((await other.get('a'))?.body).toBe('mine');
        await other.apply([write(document('a', 2, 'yours'), 1, { byOwner: ['o'] })]);
        expect((await view.get('a'))?.body).toBe('yours');
        expect((await view.page({ index: 'byOwner', prefix: ['o'], limit: 5 })).items[0]?.body).toBe('yours');
      });
    });

    it('reads the current state of a document and of a list, however often they were read before', async () => {
      const other = (await connect()).collection(VIEW, INDEXES);
      const list = { index: 'byOwner', prefix: ['o'], limit: 5 };
      const keys = { byOwner: ['o', 1] };
      // Texts of one length.
      const steps: readonly GuardedWrite[] = [
        write(document('a', 5, 'one'), null, keys),
        write(document('a', 6, 'two'), 5, keys),
        writeOver(repaired(document('a', 6, 'six'), 1), [6, 0], keys),
        writeOver(repaired(document('a', 6, 'ten'), 2), [6, 1], keys),
        writeOver(repaired(document('a', 7, 'yes'), 2), [6, 2], keys),
        write(document('b', 9, 'new'), null, { byOwner: ['o', 2] }),
        writeOver(repaired(document('a', 8, 'end', true), 2), [7, 2]),
      ];
      const standing = new Map<string, StoredDocument>();
      for (const one of steps) {
        expect(await other.apply([one])).toEqual(['written']);
        const { id } = one.document;
        standing.set(id, one.document);
        const listed = [...standing.values()].filter(({ deleted }) => !deleted);
        for (let time = 0; time < 3; time++) {
          expect(await view.get(id)).toEqual(one.document);
          expect((await view.page(list)).items).toEqual(listed);
        }
      }
    });

    it('reads a list as it is after a batch of which only a later write was taken', async () => {
      const list = { index: 'byOwner', prefix: ['o'], limit: 5 };
      const [a, b] = ['a', 'b'].map((id) => write(document(id, 5), null, { byOwner: ['o'] }));
      await view.apply([a!]);
      expect((await view.page(list)).items).toHaveLength(1);
      expect(await view.apply([write(document('a', 6), 4, { byOwner: ['o'] }), b!])).toEqual([
        'behind',
        'written',
      ]);
      expect((await view.page(list)).items.map(({ id }) => id)).toEqual(['a', 'b']);
    });

    describe('repairs', () => {
      const standing = document('a', 5, 'wrong');
      const repair = (body: string, before = 0): GuardedWrite =>
        writeOver(repaired(document('a', 5, body), before + 1), [5, before], { byOwner: [body] });

      beforeEach(async () => {
        await view.apply([write({ ...standing, parkedAt: at(4) }, null, { byOwner: ['wrong'] })]);
      });

      it('write over exactly the stored position, and are counted', async () => {
        expect(await view.apply([repair('right')])).toEqual(['written']);
        expect(await view.get('a')).toEqual(repaired(document('a', 5, 'right'), 1));
        expect((await view.getMany(['a'])).get('a')?.repairs).toBe(1);
        expect((await everything(view)).map(({ repairs }) => repairs)).toEqual([1]);
        expect(await list(view, { index: 'byOwner', prefix: ['right'], limit: 5 })).toEqual(['a']);
        expect(await list(view, { index: 'byOwner', prefix: ['wrong'], limit: 5 })).toEqual([]);
      });

      it('may follow one another, each seen at once by every handle', async () => {
        const other = (await connect()).collection(VIEW, INDEXES);
        for (let before = 0; before < 300; before++) {
          // The bodies have one length: the documents differ in size only by the count of repairs.
          const body = String(before % 2);
          expect(await (before % 3 ? view : other).apply([repair(body, before)])).toEqual(['written']);
          for (const reader of [view, other])
            expect(await reader.get('a')).toEqual(repaired(document('a', 5, body), before + 1));
        }
      });

      it('refuse a fold of a document that was read before the repair, whatever position it leads to', async () => {
        await view.apply([repair('right')]);
        // If only positions were compared, each would be written, or be answered "ahead".
        for (const stale of [
          write(document('a', 6, 'stale'), 5),
          write(document('a', 9, 'stale'), 3),
          write(document('a', 5, 'stale'), 3),
          write(document('a', 4, 'stale'), 3),
          write(document('a', 4, 'stale'), null),
        ]) {
          expect(await view.apply([stale])).toEqual(['behind']);
        }
        expect(await view.get('a')).toEqual(repaired(document('a', 5, 'right'), 1));
        const on = writeOver(repaired(document('a', 6, 'on'), 1), [5, 1]);
        expect(await view.apply([on])).toEqual(['written']);
        expect(await view.apply([on])).toEqual(['ahead']);
        expect(await view.get('a')).toEqual(repaired(document('a', 6, 'on'), 1));
      });

      it('are refused where the document was folded on, or repaired, since it was read', async () => {
        await view.apply([write(document('a', 6, 'on'), 5)]);
        expect(await view.apply([repair('late')])).toEqual(['behind']);
        expect(await view.get('a')).toEqual(document('a', 6, 'on'));
        const inPlace = (body: string): GuardedWrite =>
          writeOver(repaired(document('a', 6, body), 1), [6, 0]);
        expect(await view.apply([inPlace('right')])).toEqual(['written']);
        expect(await view.apply([inPlace('twice')])).toEqual(['behind']);
        expect(await view.get('a')).toEqual(repaired(document('a', 6, 'right'), 1));
        const gone = writeOver(repaired(document('gone', 6), 1), [6, 0]);
        expect(await view.apply([gone, { ...gone, document: repaired(document('b', 6), 1) }])).toEqual([
          'behind',
          'behind',
        ]);
        expect((await everything(view)).map(({ id }) => id)).toEqual(['a']);
      });

      it('are not there where a guard expects more than were made', async () => {
        const on = writeOver(repaired(document('a', 6), 1), [5, 1]);
        expect(await view.apply([on])).toEqual(['behind']);
        expect(await view.apply([repair('second', 1)])).toEqual(['behind']);
        expect(await view.get('a')).toEqual({ ...standing, parkedAt: at(4) });
      });

      it('outlast a removal', async () => {
        await view.apply([repair('right')]);
        const removed = repaired(document('a', 6, null, true), 1);
        expect(await view.apply([writeOver(removed, [5, 1])])).toEqual(['written']);
        expect(await view.get('a')).toEqual(removed);
        const back = repaired(document('a', 6, 'back'), 2);
        expect(await view.apply([writeOver(back, [6, 1])])).toEqual(['written']);
        expect(await view.get('a')).toEqual(back);
      });

      it('leave no trace in a document that never was repaired', async () => {
        await view.apply([
          { ...write(repaired(document('b', 1), 0)), expectedRepairs: 0 },
          writeOver(repaired(document('a', 6), 0), [5, 0]),
        ]);
        for (const id of ['a', 'b']) expect(Object.keys((await view.get(id)) ?? {})).not.toContain('repairs');
      });

      it('are carried along by a fold, and counted by one in place: anything else is refused as a mistake', async () => {
        await view.apply([repair('right')]);
        const wrong: GuardedWrite[] = [
          writeOver(document('a', 6), [5, 1]),
          writeOver(repaired(document('a', 6), 2), [5, 1]),
          writeOver(repaired(document('a', 5), 1), [5, 1]),
          writeOver(repaired(document('a', 5), 3), [5, 1]),
          write(document('a', 5), 5),
          writeOver(repaired(document('a', 4), 1), [5, 1]),
          writeOver(repaired(document('a', 4), 2), [5, 1]),
          write(repaired(document('b', 1), 1)),
          { ...write(repaired(document('b', 1), 1)), expectedRepairs: 1 },
          writeOver(repaired(document('a', 6), -1), [5, -1]),
          writeOver(repaired(document('a', 6), 0.5), [5, 0.5]),
        ];
        for (const made of wrong) {
          await expect(view.apply([write(document('c', 1)), made])).rejects.toThrow(TypeError);
        }
        expect(await everything(view)).toEqual([repaired(document('a', 5, 'right'), 1)]);
      });

      it('and folds of eight concurrent writers lose nothing of one another', async () => {
        const others = [await connect(), await connect(), await connect()];
        const writers = [...others, ...others, store, store];
        await view.apply([write(document('shared', 0, { folds: 0, repairs: 0 }))]);
        const won = await Promise.all(
          writers.map(async (writer, n) => {
            const mine = writer.collection(VIEW, INDEXES);
            const wins = { folds: 0, repairs: 0 };
            for (let round = 0; round < 12; round++) {
              const kind = (n + round) % 2 ? 'folds' : 'repairs';
              const { body, position, repairs = 0 } = (await mine.get('shared')) ?? document('shared', 0);
              const counted = body as typeof wins;
              const next = document('shared', Number(position) + (kind === 'folds' ? 1 : 0), {
                ...counted,
                [kind]: counted[kind] + 1,
              });
              const [result] = await mine.apply([
                writeOver(repaired(next, repairs + (kind === 'repairs' ? 1 : 0)), [
                  Number(position),
                  repairs,
                ]),
              ]);
              if (result === 'written') wins[kind]++;
            }
            return wins;
          }),
        );
        const folds = won.reduce((sum, wins) => sum + wins.folds, 0);
        const repairs = won.reduce((sum, wins) => sum + wins.repairs, 0);
        expect(Math.min(folds, repairs)).toBeGreaterThan(0);
        expect(await view.get('shared')).toEqual(
          repaired(document('shared', folds, { folds, repairs }), repairs),
        );
      });
    });

    describe('documents', () => {
      const AWKWARD =
        '{"__proto__":{"polluted":true},"$where":"1","a.b":{"$set":1,"constructor":null},"":"","z":1,"a":2,"nul\\u0000":"\\u0000","half":"\\ud800","💡":[[],{}]}';

      it('come back exactly as they were, whatever their keys, in the order of their keys', async () => {
        await view.apply([write(document('awkward', 1, JSON.parse(AWKWARD) as Json))]);
        const read = await view.get('awkward');
        expect(JSON.stringify(read?.body)).toBe(JSON.stringify(JSON.parse(AWKWARD)));
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
        const [listed] = await everything(view);
        expect(JSON.stringify(listed?.body)).toBe(JSON.stringify(JSON.parse(AWKWARD)));
      });

      it('keep every JSON value', async () => {
        let position = 0;
        await fc.assert(
          fc.asyncProperty(fc.json({ noUnicodeString: false }), async (text) => {
            const plain = JSON.stringify(JSON.parse(text, (_, v: unknown) => (Object.is(v, -0) ? 0 : v)));
            const before = position++ || null;
            expect(
              await view.apply([write(document('a', position, JSON.parse(plain) as Json), before)]),
            ).toEqual(['written']);
            expect(JSON.stringify((await view.get('a'))?.body)).toBe(plain);
          }),
          { numRuns: 60 },
        );
      });

      it('have ids of any length and any text, in the order of their UTF-8 bytes', async () => {
        const ids = [
          'a',
          'a\0',
          'a\0b',
          'aa',
          'a:b/c',
          '$where',
          '__proto__',
          'é',
          '￿',
          '💡',
          'x'.repeat(255),
          'y'.repeat(10_000),
        ];
        await view.apply(ids.map((id) => write(document(id, 1, id))));
        for (const id of ids) expect((await view.get(id))?.body).toBe(id);
        const sorted = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect((await everything(view)).map(({ id }) => id)).toEqual(sorted);
        expect((await view.getMany(ids)).size).toBe(ids.length);
        expect((await view.heads(ids)).size).toBe(ids.length);
        for (const id of ['y'.repeat(9_999), 'unknown\0', '\ud800', ''])
          expect(await view.get(id)).toBeNull();
      });

      it('differ even if their ids differ only far from the start', async () => {
        const ids = ['1', '2', '3'].map((end) => 'long'.repeat(1_000) + end);
        await view.apply(ids.map((id) => write(document(id, 1, id.at(-1) ?? ''), null, { byOwner: [id] })));
        for (const id of ids) {
          expect((await view.get(id))?.body).toBe(id.at(-1));
          expect(await list(view, { index: 'byOwner', prefix: [id], limit: 10 })).toEqual([id]);
        }
      });

      it('may be as large as 12 MiB; a larger one than 16 MiB is refused by its id, before anything is written', async () => {
        const large = 'ä'.repeat(6 * 1024 * 1024);
        expect(await view.apply([write(document('large', 1, large))])).toEqual(['written']);
        expect((await view.get('large'))?.body === large).toBe(true);
        const refusal = await view
          .apply([
            write(document('small', 1)),
            write(document('huge', 1, large + large.slice(0, 3 * 1024 * 1024))),
          ])
          .catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(DocumentTooLarge);
        expect((refusal as DocumentTooLarge).id).toBe('huge');
        expect(await view.get('small')).toBeNull();
      });

      it('stay as tombstones outside every index', async () => {
        const keys = { byOwner: ['o'] };
        await view.apply([write(document('a', 1), null, keys), write(document('b', 1), null, keys)]);
        await view.apply([write(document('a', 2, null, true), 1, keys)]);
        expect(await view.get('a')).toEqual(document('a', 2, null, true));
        expect((await everything(view)).map(({ id, deleted }) => [id, deleted])).toEqual([
          ['a', true],
          ['b', false],
        ]);
        expect(await list(view, { index: 'byOwner', prefix: [], limit: 5 })).toEqual(['b']);
        expect(await view.apply([write(document('a', 3), null)])).toEqual(['behind']);
        await view.apply([write(document('a', 3), 2, keys)]);
        expect(await list(view, { index: 'byOwner', prefix: ['o'], limit: 5 })).toEqual(['a', 'b']);
      });

      it('of one generation are not those of another', async () => {
        const other = store.collection('things.v1.g10' as GenerationName, INDEXES);
        await view.apply([write(document('a', 1, 'one'), null, { byOwner: ['o'] })]);
        expect(await other.get('a')).toBeNull();
        expect((await other.page({ index: 'byOwner', prefix: [], limit: 5 })).items).toEqual([]);
        await other.apply([write(document('a', 2, 'ten'))]);
        expect((await view.get('a'))?.body).toBe('one');
        expect(await everything(other)).toEqual([document('a', 2, 'ten')]);
      });
    });

    describe('indexes', () => {
      const fill = async (keys: Readonly<Record<string, IndexKey>>): Promise<void> => {
        await view.apply(
          Object.entries(keys).map(([id, key]) => write(document(id, 1), null, { byOwner: key })),
        );
      };

      it('order by parts: numbers as numbers and before strings, strings by UTF-8 bytes', async () => {
        const ordered: IndexKey[] = [
          [Number.MIN_SAFE_INTEGER],
          [-4_294_967_297],
          [-4_294_967_296],
          [-1],
          [0],
          [1],
          [2],
          [10],
          [4_294_967_296],
          [Number.MAX_SAFE_INTEGER],
          [''],
          ['', 0],
          ['', ''],
          ['\0'],
          ['\0\0'],
          ['\0a'],
          ['1'],
          ['A'],
          ['a'],
          ['a', -1],
          ['a', 'x'],
          ['a\0'],
          ['a\0', 'x'],
          ['a '],
          ['aa'],
          ['é'],
          ['￿'],
          ['💡'],
        ];
        const ids = ordered.map((_, i) => `d${String(i).padStart(2, '0')}`);
        const shuffled = fc.sample(fc.shuffledSubarray(ids, { minLength: ids.length }), 1)[0] ?? ids;
        await fill(Object.fromEntries(shuffled.map((id) => [id, ordered[ids.indexOf(id)] ?? []])));
        for (const limit of [1, 3, 100]) {
          expect(await list(view, { index: 'byOwner', prefix: [], limit })).toEqual(ids);
          expect(await list(view, { index: 'byOwner', prefix: [], limit, reverse: true })).toEqual(
            [...ids].reverse(),
          );
        }
      });

      it('break ties by id', async () => {
        await fill({ c: ['k'], a: ['k'], b: ['k'], 'a\0': ['k'] });
        expect(await list(view, { index: 'byOwner', prefix: ['k'], limit: 1 })).toEqual([
          'a',
          'a\0',
          'b',
          'c',
        ]);
        expect(await list(view, { index: 'byOwner', prefix: ['k'], limit: 1, reverse: true })).toEqual([
          'c',
          'b',
          'a\0',
          'a',
        ]);
      });

      it('match a prefix by whole parts', async () => {
        await fill({
          a: ['o1', 'x'],
          b: ['o1'],
          c: ['o10', 'x'],
          d: ['o1', 'x', 1],
          e: ['o1', 'y'],
          f: [1, 'x'],
        });
        const ids = (prefix: IndexKey): Promise<string[]> =>
          list(view, { index: 'byOwner', prefix, limit: 2 });
        expect(await ids(['o1'])).toEqual(['b', 'a', 'd', 'e']);
        expect(await ids(['o1', 'x'])).toEqual(['a', 'd']);
        expect(await ids(['o'])).toEqual([]);
        expect(await ids(['1'])).toEqual([]);
        expect(await ids([1])).toEqual(['f']);
      });

      it('end at an upper bound, inclusive', async () => {
        await fill({
          a: ['o', 1],
          b: ['o', 5],
          c: ['o', 5, 'z'],
          d: ['o', 6],
          e: ['o', 'five'],
          f: ['p', 1],
          g: ['o'],
        });
        const upTo = (bound: string | number, reverse = false): Promise<string[]> =>
          list(view, { index: 'byOwner', prefix: ['o'], limit: 2, upTo: bound, reverse });
        expect(await upTo(5)).toEqual(['g', 'a', 'b', 'c']);
        expect(await upTo(5, true)).toEqual(['c', 'b', 'a', 'g']);
        expect(await upTo('fiv')).toEqual(['g', 'a', 'b', 'c', 'd']);
        expect(await upTo('five')).toEqual(['g', 'a', 'b', 'c', 'd', 'e']);
      });

      it('begin at a lower bound, inclusive, and are counted as they are listed', async () => {
        await fill({
          a: ['o', 1],
          b: ['o', 5],
          c: ['o', 5, 'z'],
          d: ['o', 6],
          e: ['o', 'five'],
          f: ['p', 9],
        });
        const within = async (bounds: Partial<PageOptions>): Promise<string> => {
          const options = { index: 'byOwner', prefix: ['o'], ...bounds };
          const ids = await list(view, { ...options, limit: 2 });
          const reversed = await list(view, { ...options, limit: 2, reverse: true });
          expect(reversed).toEqual([...ids].reverse());
          expect(await view.count({ ...options, limit: 100 })).toBe(ids.length);
          expect(await view.count({ ...options, limit: 2 })).toBe(Math.min(2, ids.length));
          return ids.join('');
        };
        expect(await within({})).toBe('abcde');
        expect(await within({ from: 5 })).toBe('bcde');
        expect(await within({ from: 2, upTo: 5 })).toBe('bc');
        expect(await within({ from: 5, upTo: 'fiv' })).toBe('bcd');
        expect(await within({ from: 'fiv' })).toBe('e');
        expect(await within({ from: 'five', upTo: 'five' })).toBe('e');
        expect(await within({ from: 6, upTo: 5 })).toBe('');
        expect(await within({ prefix: ['none'], from: 0 })).toBe('');
        for (const refused of [
          { index: 'byNothing' },
          { limit: 0 },
          { from: 0.5 },
          { prefix: ['o', 1, 2], from: 1 },
        ])
          await expect(view.count({ index: 'byOwner', prefix: ['o'], limit: 9, ...refused })).rejects.toThrow(
            TypeError,
          );
      });

      it('hold those alone whose next part starts with a text', async () => {
        const longest = 'n'.repeat(255);
        await fill({
          a: ['o', 'back', 1],
          b: ['o', 'backend', 1],
          c: ['o', 'backend', 2],
          d: ['o', 'back\0', 1],
          e: ['o', 'bac'],
          f: ['o', 'bad', 1],
          g: ['o', 7],
          h: ['o'],
          i: ['p', 'backend'],
          j: ['o', 'zoë 💡'],
          k: ['o', `${longest}m`],
          l: ['o', longest],
        });
        const start = (startsWith: string, reverse = false): Promise<string[]> =>
          list(view, { index: 'byOwner', prefix: ['o'], limit: 2, startsWith, reverse });
        expect(await start('back')).toEqual(['a', 'd', 'b', 'c']);
        expect(await start('back', true)).toEqual(['c', 'b', 'd', 'a']);
        expect(await start('backend')).toEqual(['b', 'c']);
        expect(await start('back\0')).toEqual(['d']);
        expect(await start('backs')).toEqual([]);
        expect(await start('zoë')).toEqual(['j']);
        expect(await start('zo')).toEqual(['j']);
        expect((await start(longest)).sort()).toEqual(['k', 'l']);
        expect((await start('')).length).toBe(9);
        await expect(start(`${longest}n`)).rejects.toThrow(TypeError);
        await expect(
          view.page({ index: 'byOwner', prefix: ['o'], limit: 1, startsWith: 'b', upTo: 'c' }),
        ).rejects.toThrow(TypeError);
        const { next } = await view.page({ index: 'byOwner', prefix: ['o'], limit: 1, startsWith: 'back' });
        for (const other of [{}, { startsWith: 'bac' }, { startsWith: '' }]) {
          const page = view.page({ index: 'byOwner', prefix: ['o'], limit: 1, cursor: next ?? '', ...other });
          await expect(page).rejects.toBeInstanceOf(BadCursor);
        }
      });

      it('end early where they would be larger than they may be', async () => {
        const kilobytes = (count: number): Json => ({ text: 'x'.repeat(count * 1024) });
        const ids = Array.from({ length: 130 }, (_, n) => `d${String(n).padStart(3, '0')}`);
        const sizeOf = (n: number): number => (n === 20 ? 100 : n < 40 ? 2 : 0);
        await view.apply(
          ids.map((id, n) => write(document(id, 1, kilobytes(sizeOf(n))), null, { byOwner: ['o', n] })),
        );
        const options = { index: 'byOwner', prefix: ['o'], maxBytes: 21 * 1024 };
        const sizes = async (limit: number, reverse: boolean): Promise<number[]> => {
          const seen: string[] = [];
          const pages: number[] = [];
          for (let cursor: string | null | undefined; cursor !== null;) {
            const page = await view.page({ ...options, limit, reverse, ...(cursor && { cursor }) });
            seen.push(...page.items.map(({ id }) => id));
            pages.push(page.items.length);
            cursor = page.next;
          }
          expect(seen).toEqual(reverse ? ids.toReversed() : ids);
          return pages;
        };
        // Whatever a store adds to a document, ten of 2 KiB do not fit with their frames, nine do.
        const [first, second, alone, ...rest] = await sizes(200, false);
        expect([9, 10]).toContain(first);
        expect([9, 10]).toContain(second);
        expect(rest.length).toBeGreaterThan(1);
        expect(alone).toBeLessThanOrEqual(2);
        expect(Math.max(...(await sizes(5, true)))).toBe(5);
        const reversed = await sizes(200, true);
        expect(reversed[0]).toBeGreaterThan(50);
        const all = await view.page({ ...options, maxBytes: 2 ** 24, limit: 40 });
        expect(all.items).toHaveLength(40);
        expect((await view.page({ ...options, limit: 40 })).items.length).toBeLessThan(40);
        for (const maxBytes of [0, -1, 1.5])
          await expect(view.page({ ...options, limit: 1, maxBytes })).rejects.toThrow(TypeError);
      });

      it('hold names of 10,000 characters and zero bytes', async () => {
        const long = 'n'.repeat(10_000);
        const parts = [
          long,
          `${long}!`,
          '\0'.repeat(500),
          `${'\0'.repeat(500)}a`,
          'm',
          'o',
          '💡'.repeat(400),
        ];
        await fill(Object.fromEntries(parts.map((part, i) => [`d${i}`, ['org', part, i]])));
        for (const [i, part] of parts.entries()) {
          expect(await list(view, { index: 'byOwner', prefix: ['org', part], limit: 5 })).toEqual([`d${i}`]);
        }
        const all = await list(view, { index: 'byOwner', prefix: ['org'], limit: 2 });
        expect([...all].sort()).toEqual(parts.map((_, i) => `d${i}`));
        // Between the long ones the order is the store's own, around them it is exact.
        expect(all.indexOf('d4')).toBe(2);
        expect(all.indexOf('d5')).toBe(5);
        expect(all.at(-1)).toBe('d6');
        expect(await list(view, { index: 'byOwner', prefix: ['org'], limit: 2, reverse: true })).toEqual(
          all.reverse(),
        );
      });

      it('refuse keys that no store could order', async () => {
        for (const key of [
          [0.5],
          [Number.NaN],
          [2 ** 53],
          ['1', '2', '3', '4', '5', '6'],
        ] satisfies IndexKey[]) {
          await expect(view.apply([write(document('a', 1), null, { byOwner: key })])).rejects.toThrow(
            TypeError,
          );
          await expect(view.page({ index: 'byOwner', prefix: key, limit: 1 })).rejects.toThrow(TypeError);
        }
        await expect(view.page({ index: 'byNothing', prefix: [], limit: 1 })).rejects.toThrow(TypeError);
        for (const limit of [0, -1, 1.5]) {
          await expect(view.page({ index: 'byOwner', prefix: [], limit })).rejects.toThrow(TypeError);
        }
        expect(await view.get('a')).toBeNull();
      });

      it('follow a document: its entry moves with its key, and goes with it', async () => {
        const ids = (index: string, key: string): Promise<string[]> =>
          list(view, { index, prefix: [key], limit: 5 });
        await view.apply([write(document('a', 1), null, { byOwner: ['x'], byState: ['open'] })]);
        await view.apply([write(document('a', 2), 1, { byOwner: ['x'], byState: ['done'] })]);
        expect(await ids('byState', 'open')).toEqual([]);
        expect(await ids('byState', 'done')).toEqual(['a']);
        expect(await ids('byOwner', 'x')).toEqual(['a']);
        await view.apply([write(document('a', 3), 2, { byOwner: ['y'] })]);
        expect(await ids('byState', 'done')).toEqual([]);
        expect(await ids('byOwner', 'x')).toEqual([]);
        expect(await ids('byOwner', 'y')).toEqual(['a']);
        // A refused write moves nothing.
        await view.apply([write(document('a', 9), 1, { byOwner: ['z'] })]);
        expect(await ids('byOwner', 'z')).toEqual([]);
        expect(await ids('byOwner', 'y')).toEqual(['a']);
      });

      it('page without a gap or a repetition while others come and go', async () => {
        const id = (n: number): string => String(n).padStart(4, '0');
        await view.apply(
          Array.from({ length: 60 }, (_, n) =>
            write(document(id(n * 10), 1), null, { byOwner: ['o', n * 10] }),
          ),
        );
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let round = 0; ; round++) {
          const page = await view.page({
            index: 'byOwner',
            prefix: ['o'],
            limit: 7,
            ...(cursor && { cursor }),
          });
          seen.push(...page.items.map((item) => item.id));
          if (page.next === null) break;
          cursor = page.next;
          const last = Number(seen.at(-1));
          await view.apply([
            // One is inserted before the cursor, one after it, and the document at the cursor is removed.
            write(document(id(last - 5), 1), null, { byOwner: ['o', last - 5] }),
            write(document(id(last + 5), 1), null, { byOwner: ['o', last + 5] }),
            write(document(id(last), 2, null, true), 1),
          ]);
        }
        expect(seen).toEqual([...new Set(seen)].sort());
        for (let n = 0; n < 60; n++) expect(seen).toContain(id(n * 10));
      });
    });

    describe('cursors', () => {
      const first = async (options: Partial<PageOptions> = {}): Promise<string> => {
        const { next } = await view.page({ index: 'byOwner', prefix: ['o'], limit: 1, ...options });
        return next ?? '';
      };

      beforeEach(async () => {
        const keys = { byOwner: ['o'], byState: ['o'] };
        await view.apply(['a', 'b', 'c'].map((id) => write(document(id, 1), null, keys)));
      });

      it('are URL-safe, and null at the end', async () => {
        expect(await first()).toMatch(/^[A-Za-z0-9_-]+$/);
        expect((await view.page({ index: 'byOwner', prefix: ['o'], limit: 3 })).next).toBeNull();
        expect(await view.page({ index: 'byOwner', prefix: ['none'], limit: 3 })).toEqual({
          items: [],
          next: null,
        });
      });

      it('serve another handle, also a later one', async () => {
        const cursor = await first();
        await Promise.all(handles.splice(0).map((handle) => handle.close()));
        const again = (await connect()).collection(VIEW, INDEXES);
        const page = await again.page({ index: 'byOwner', prefix: ['o'], limit: 5, cursor });
        expect(page.items.map(({ id }) => id)).toEqual(['b', 'c']);
      });

      it('go on in the next generation of their view', async () => {
        const cursor = await first();
        const next = store.collection('things.v2.g2' as GenerationName, INDEXES);
        await next.apply(['a', 'b'].map((id) => write(document(id, 1), null, { byOwner: ['o'] })));
        const page = await next.page({ index: 'byOwner', prefix: ['o'], limit: 5, cursor });
        expect(page.items.map(({ id }) => id)).toEqual(['b']);
      });

      it('go on within other bounds, never outside them', async () => {
        const keys = (n: number) => ({ byOwner: ['p', n] });
        await view.apply([1, 2, 3, 4].map((n) => write(document(`p${n}`, 1), null, keys(n))));
        const list = { index: 'byOwner', prefix: ['p'] };
        const ids = async (options: Partial<PageOptions>): Promise<string> => {
          const page = await view.page({ ...list, limit: 9, ...options });
          return page.items.map(({ id }) => id).join();
        };
        const forward = (await view.page({ ...list, limit: 1 })).next!;
        expect(await ids({ cursor: forward, from: 3 })).toBe('p3,p4');
        expect(await ids({ cursor: forward, upTo: 3 })).toBe('p2,p3');
        const back = (await view.page({ ...list, limit: 1, reverse: true })).next!;
        expect(await ids({ cursor: back, reverse: true, upTo: 2 })).toBe('p2,p1');
        expect(await ids({ cursor: back, reverse: true, from: 2 })).toBe('p3,p2');
      });

      it('are refused by every other list', async () => {
        const cursor = await first();
        const page = { index: 'byOwner', prefix: ['o'], limit: 1, cursor } as const;
        const others: Promise<unknown>[] = [
          view.page({ ...page, index: 'byState' }),
          view.page({ ...page, prefix: ['p'] }),
          view.page({ ...page, prefix: [] }),
          view.page({ ...page, reverse: true }),
          store.collection('others.v1.g1' as GenerationName, INDEXES).page(page),
        ];
        for (const other of others) await expect(other).rejects.toBeInstanceOf(BadCursor);
      });

      it('that no store gave are refused', async () => {
        const cursor = await first();
        const bad = [
          '',
          '!',
          'AAAA',
          cursor.slice(2),
          `${cursor}=`,
          `${cursor}\0`,
          'x'.repeat(10_000),
          '{"$gt":""}',
        ];
        for (const made of bad) {
          await expect(
            view.page({ index: 'byOwner', prefix: ['o'], limit: 1, cursor: made }),
          ).rejects.toBeInstanceOf(BadCursor);
        }
      });
    });

    describe('checkpoints', () => {
      it('are created if there is none, and move only from the position that they have', async () => {
        const { checkpoints } = store;
        expect(await checkpoints.get('things.v1.g1.0of8')).toBeNull();
        expect(await checkpoints.advance('things.v1.g1.0of8', at(1), at(2))).toBe(false);
        expect(await checkpoints.advance('things.v1.g1.0of8', null, at(1))).toBe(true);
        expect(await checkpoints.advance('things.v1.g1.0of8', null, at(5))).toBe(false);
        expect(await checkpoints.advance('things.v1.g1.0of8', at(3), at(5))).toBe(false);
        expect(await checkpoints.advance('things.v1.g1.0of8', at(1), at(4))).toBe(true);
        expect(await checkpoints.get('things.v1.g1.0of8')).toBe(at(4));
        expect(await checkpoints.get('things.v1.g1.1of8')).toBeNull();
      });

      it('keep the id of the event that they are at, if it is known, until they move on', async () => {
        const name = 'things.v1.g1.0of8';
        const { checkpoints } = store;
        expect(await store.checkpointEvent(name)).toBeNull();
        await checkpoints.advance(name, null, at(1));
        expect(await store.checkpointEvent(name)).toBeNull();
        await checkpoints.advance(name, at(1), at(2), 'event 2');
        expect(await checkpoints.advance(name, at(1), at(3), 'event 3')).toBe(false);
        const other = await connect();
        expect([await other.checkpoints.get(name), await other.checkpointEvent(name)]).toEqual([
          at(2),
          'event 2',
        ]);
        await other.checkpoints.advance(name, at(2), at(4));
        expect([await store.checkpoints.get(name), await store.checkpointEvent(name)]).toEqual([at(4), null]);
        await checkpoints.advance('first', null, at(9), 'event 9');
        expect(await store.checkpointEvent('first')).toBe('event 9');
      });

      it('may be before the first event', async () => {
        expect(await store.checkpoints.advance('things.v1.g1.0of8', null, START)).toBe(true);
        expect(await store.checkpoints.get('things.v1.g1.0of8')).toBe(START);
        expect(await store.generations()).toEqual([VIEW]);
        expect(await store.checkpoints.advance('things.v1.g1.0of8', null, at(1))).toBe(false);
        expect(await store.checkpoints.advance('things.v1.g1.0of8', START, at(1))).toBe(true);
      });

      it('let only one of several move them from a position', async () => {
        const other = await connect();
        await store.checkpoints.advance('c', null, START);
        const moved = await Promise.all(
          [1, 2, 3, 4, 5, 6, 7, 8].map((n) => (n % 2 ? store : other).checkpoints.advance('c', START, at(n))),
        );
        expect(moved.filter(Boolean)).toHaveLength(1);
        expect(await other.checkpoints.get('c')).toBe(at(moved.indexOf(true) + 1));
      });

      it('say of each of many that are moved at the same time whether it was', async () => {
        const { checkpoints } = store;
        const names = Array.from({ length: 40 }, (_, n) => `c${n}`);
        for (const [n, one] of names.entries())
          if (n % 5 !== 4) await checkpoints.advance(one, null, at(n % 3 === 2 ? 1 : 0));
        // One in three has another position, for some the target of the move. One in five does not exist.
        const moved = await Promise.all(names.map((one) => checkpoints.advance(one, at(0), at(1))));
        expect(moved).toEqual(names.map((_, n) => n % 3 !== 2 && n % 5 !== 4));
        // Of two equal moves only one succeeds.
        const twice = await Promise.all(
          [...names, ...names].map((one) => checkpoints.advance(one, at(1), at(2))),
        );
        for (const n of names.keys())
          expect([twice[n], twice[names.length + n]].filter(Boolean)).toHaveLength(n % 5 === 4 ? 0 : 1);
      });

      it('may have long and odd names', async () => {
        const names = ['$where', 'a.b', '__proto__', 'x'.repeat(3_000)];
        for (const [n, odd] of names.entries())
          expect(await store.checkpoints.advance(odd, null, at(n))).toBe(true);
        for (const [n, odd] of names.entries()) expect(await store.checkpoints.get(odd)).toBe(at(n));
      });
    });

    describe('leases', () => {
      it('are taken, renewed and released by compare-and-set on owner and counter', async () => {
        const { leases } = store;
        const mine = { owner: 'me', counter: 1 };
        expect(await leases.get('l')).toBeNull();
        expect(await leases.swap('l', mine, { owner: 'you', counter: 1 })).toBe(false);
        expect(await leases.swap('l', null, mine)).toBe(true);
        expect(await leases.swap('l', null, { owner: 'you', counter: 1 })).toBe(false);
        expect(await leases.swap('l', { owner: 'you', counter: 1 }, { owner: 'you', counter: 2 })).toBe(
          false,
        );
        expect(await leases.swap('l', { owner: 'me', counter: 2 }, { owner: 'you', counter: 2 })).toBe(false);
        expect(await leases.swap('l', mine, { owner: 'me', counter: 2 })).toBe(true);
        expect(await leases.get('l')).toEqual({ owner: 'me', counter: 2 });
        expect(await leases.swap('l', mine, null)).toBe(false);
        expect(await leases.swap('l', { owner: 'me', counter: 2 }, null)).toBe(true);
        expect(await leases.get('l')).toBeNull();
        expect(await leases.swap('l', null, null)).toBe(true);
      });

      it('go to one of eight challengers', async () => {
        const other = await connect();
        const taken = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            (n % 2 ? store : other).leases.swap('l', null, { owner: `w${n}`, counter: 0 }),
          ),
        );
        expect(taken.filter(Boolean)).toHaveLength(1);
        expect((await store.leases.get('l'))?.owner).toBe(`w${taken.indexOf(true)}`);
      });
    });

    describe('pointers', () => {
      it('move from exactly their current revision', async () => {
        const { pointers } = store;
        expect(await pointers.get('things')).toBeNull();
        expect(await pointers.swap('things', 1, pointer(2))).toBe(false);
        expect(await pointers.swap('things', null, pointer(1))).toBe(true);
        expect(await pointers.swap('things', null, pointer(1, { turn: 7 }))).toBe(false);
        expect(await pointers.swap('things', 2, pointer(3))).toBe(false);
        expect(await pointers.get('things')).toEqual(pointer(1));
        expect(await pointers.swap('things', 1, pointer(2))).toBe(true);
        expect(await pointers.swap('things', 1, pointer(2, { turn: 7 }))).toBe(false);
        expect(await (await connect()).pointers.get('things')).toEqual(pointer(2));
        expect(await pointers.get('others')).toBeNull();
      });

      it('move by one revision at a time', async () => {
        const { pointers } = store;
        await pointers.swap('things', null, pointer(1));
        for (const [expected, revision] of [
          [null, 0],
          [null, 2],
          [1, 1],
          [1, 3],
          [1, Number.NaN],
          [Number.NaN, Number.NaN],
          [0.5, 1.5],
          [-1, 0],
          [0, 1],
        ] as const) {
          await expect(pointers.swap('things', expected, pointer(revision))).rejects.toThrow(TypeError);
        }
        expect(await pointers.get('things')).toEqual(pointer(1));
      });

      it('are read as they were written, however nested, and cannot be changed through what was read', async () => {
        const { pointers } = store;
        const given = structuredClone(FULL_POINTER);
        const swapping = pointers.swap('things', null, given);
        // The caller may change its record as soon as swap has returned its promise.
        expect(defaced(given)).toBe(true);
        expect(await swapping).toBe(true);
        for (const handle of [store, store, await connect()]) {
          const read = await handle.pointers.get('things');
          expect(read).toEqual(FULL_POINTER);
          defaced(read);
        }
        expect(await pointers.get('things')).toEqual(FULL_POINTER);
      });

      it('let one of eight through at each revision', async () => {
        const handles = [store, await connect(), await connect(), await connect()];
        const movers = [...handles, ...handles];
        await store.pointers.swap('things', null, pointer(1, { turn: 0 }));
        const wins = await Promise.all(
          movers.map(async ({ pointers }) => {
            let won = 0;
            for (let round = 0; round < 10; round++) {
              const read = (await pointers.get('things')) ?? pointer(1);
              const next = { ...read, revision: read.revision + 1, turn: read.turn + 1 };
              if (await pointers.swap('things', read.revision, next)) won++;
            }
            return won;
          }),
        );
        const total = wins.reduce((sum, won) => sum + won, 0);
        expect(total).toBeGreaterThanOrEqual(10);
        expect(await store.pointers.get('things')).toEqual(pointer(total + 1, { turn: total }));
      });

      it('are made once where several begin at once', async () => {
        const other = await connect();
        const made = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            (n % 2 ? store : other).pointers.swap('things', null, pointer(1, { live: generation(n + 1) })),
          ),
        );
        expect(made.filter(Boolean)).toHaveLength(1);
        expect((await other.pointers.get('things'))?.live).toEqual(generation(made.indexOf(true) + 1));
      });

      it('give each number once, also to several at a time and after a drop', async () => {
        const other = await connect();
        const numbers = await Promise.all(
          Array.from({ length: 12 }, (_, n) => (n % 2 ? store : other).pointers.nextNumber('things')),
        );
        expect(new Set(numbers).size).toBe(12);
        expect(Math.min(...numbers)).toBeGreaterThanOrEqual(1);
        await store.drop(VIEW);
        await Promise.all(handles.splice(0).map((handle) => handle.close()));
        store = await connect();
        expect(await store.pointers.nextNumber('things')).toBeGreaterThan(Math.max(...numbers));
        expect(await store.pointers.nextNumber('others')).toBeLessThanOrEqual(2);
      });
    });

    describe('the clock', () => {
      const beat = (revision: number, at: number): Heartbeat => ({ revision, at, alikeMs: 7, doubted: null });

      it('has the heartbeat that was recorded last, by compare-and-set', async () => {
        const { clock } = store;
        expect(await clock.heartbeat()).toBeNull();
        expect(await clock.record(1, beat(2, 5))).toBe(false);
        expect(await clock.record(null, beat(1, 1_767_603_600_123))).toBe(true);
        expect(await clock.record(null, beat(1, 9))).toBe(false);
        expect(await clock.heartbeat()).toEqual(beat(1, 1_767_603_600_123));
        const doubted = { ...beat(2, 6), doubted: { at: 1_830_675_600_123, alikeMs: 3_600_000 } };
        expect(await clock.record(1, doubted)).toBe(true);
        expect(await (await connect()).clock.heartbeat()).toEqual(doubted);
        expect(await clock.record(2, beat(3, 7))).toBe(true);
        expect(await clock.heartbeat()).toEqual(beat(3, 7));
      });

      it('is recorded by one of several at a time', async () => {
        const other = await connect();
        const made = await Promise.all(
          Array.from({ length: 8 }, (_, n) => (n % 2 ? store : other).clock.record(null, beat(1, n))),
        );
        expect(made.filter(Boolean)).toHaveLength(1);
        expect((await other.clock.heartbeat())?.at).toBe(made.indexOf(true));
      });

      it('is the server’s own, where there is a server', async () => {
        const time = await store.clock.serverTime();
        if (time !== null) expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
      });
    });

    describe('generations', () => {
      it('are those that have documents, checkpoints or leases', async () => {
        expect(await store.generations()).toEqual([]);
        await view.apply([write(document('a', 1))]);
        await store.collection('things.v1.g10' as GenerationName, {}).apply([write(document('a', 1))]);
        await store.checkpoints.advance('others.v3.g2.0of4', null, at(1));
        await store.checkpoints.advance('reactor', null, at(1));
        const lease = { owner: 'a process', counter: 1 };
        await store.leases.swap('others.v3.g3.0of1.builder', null, lease);
        await store.leases.swap('reactor.mail', null, lease);
        expect([...(await store.generations())].sort()).toEqual([
          'others.v3.g2',
          'others.v3.g3',
          'things.v1.g1',
          'things.v1.g10',
        ]);
      });

      it('show nothing of what was dropped, though a document is written again at its position', async () => {
        const view = store.collection(VIEW, INDEXES);
        const pages = async () => (await view.page({ index: 'byOwner', prefix: ['o'], limit: 2 })).items;
        await view.apply([write(document('a', 1, 'dropped'), null, { byOwner: ['o'] })]);
        expect([await view.get('a'), ...(await pages())]).toMatchObject([
          { body: 'dropped' },
          { body: 'dropped' },
        ]);
        await store.drop(VIEW);
        await view.apply([write(document('a', 1, 'again'), null, { byOwner: ['o'] })]);
        expect([await view.get('a'), ...(await pages())]).toMatchObject([
          { body: 'again' },
          { body: 'again' },
        ]);
      });

      it('are dropped whole, and nothing else with them', async () => {
        const kept = store.collection('things.v1.g10' as GenerationName, INDEXES);
        const many = Array.from({ length: 2_500 }, (_, n) =>
          write(document(`d${n}`, 1), null, { byOwner: ['o', n] }),
        );
        await view.apply(many);
        await kept.apply([write(document('a', 1), null, { byOwner: ['o'] })]);
        await store.checkpoints.advance('things.v1.g1.0of1', null, at(1), 'event 1');
        await store.checkpoints.advance('things.v1.g10.0of1', null, at(1));
        const lease = { owner: 'a process', counter: 1 };
        await store.leases.swap('things.v1.g1.0of1', null, lease);
        await store.leases.swap('things.v1.g10.0of1', null, lease);
        await store.drop(VIEW);
        expect(await everything(view)).toEqual([]);
        expect((await view.page({ index: 'byOwner', prefix: [], limit: 5 })).items).toEqual([]);
        expect(await store.checkpoints.get('things.v1.g1.0of1')).toBeNull();
        expect(await store.generations()).toEqual(['things.v1.g10']);
        expect(await list(kept, { index: 'byOwner', prefix: ['o'], limit: 5 })).toEqual(['a']);
        expect(await store.checkpoints.get('things.v1.g10.0of1')).not.toBeNull();
        expect(await store.leases.get('things.v1.g1.0of1')).toBeNull();
        expect(await store.leases.get('things.v1.g10.0of1')).toEqual(lease);
        await store.checkpoints.advance('things.v1.g1.0of1', null, at(1));
        expect(await store.checkpointEvent('things.v1.g1.0of1')).toBeNull();
        await store.drop(VIEW);
      });

      it('must be named as the engine names them', () => {
        for (const bad of ['things', 'things.v1', '', 'a\0b.v1.g1', '../x.v1.g1']) {
          expect(() => store.collection(bad as GenerationName, {})).toThrow(TypeError);
        }
        for (const bad of [{ 'by owner': ['owner'] }, { byOwner: ['own.er'] }, { byOwner: [] }])
          expect(() => store.collection(VIEW, bad)).toThrow(TypeError);
        const six = ['a', 'b', 'c', 'd', 'e', 'f'];
        for (const names of [six, ['a', 'a']])
          expect(() => store.collection(VIEW, { byOwner: names })).toThrow(TypeError);
      });
    });

    it('agrees with a model on any sequence of calls', async () => {
      await readStoreModel(async () => {
        const fresh = await open();
        const handle = await fresh.connect();
        return {
          store: handle,
          done: async () => {
            await handle.close();
            await fresh.remove();
          },
        };
      });
    });
  });
}
