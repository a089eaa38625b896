import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DocumentsRig } from '../../../test/support/documents-rig.js';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { type Account, accounts } from '../../../test/support/projection-rig.js';
import { storedEvents, type Given } from '../../../test/support/stored-events.js';
import type { StoredDocument } from '../../stores/read-store.js';
import { PARKED, PARKED_INDEX } from '../fold/fold.js';
import type { AnyView, ViewDocument } from '../view.js';
import { refold, type RefoldRequest } from './refold.js';

const added = (account: string, amount: number): Given => ({ type: 'added', data: { account, amount } });

const damaged = (document: StoredDocument): StoredDocument => ({
  ...document,
  body: { ...(document.body as object), total: -1, entries: [] },
});

/** The same view, mended: it takes thirteen. */
const mended: AnyView = {
  ...(accounts as AnyView),
  evolve: (document, event) => {
    const { amount } = event.data as { amount: number };
    if (amount !== 13) return accounts.evolve(document as Account, event);
    const { total, entries } = document as Account;
    return { total: total + 13, entries: [...entries, 13], closed: false };
  },
};

async function rigWith(events: readonly Given[], hooks = {}) {
  const rig = new DocumentsRig(hooks);
  const generation = rig.generation(accounts);
  await rig.append(...storedEvents(events));
  await rig.feed(accounts, generation);
  const run = (
    documents: RefoldRequest['documents'],
    options: { view?: AnyView; parkedOnly?: boolean } = {},
  ) => {
    const { view = accounts, parkedOnly = false } = options;
    return refold(rig.stores, view, generation, { documents, parkedOnly }, rig.reading);
  };
  const get = (id: string) => rig.collection(accounts, generation).get(id);
  const listed = async (index: string) => {
    const page = await rig.collection(accounts, generation).page({ index, prefix: [], limit: 99 });
    return page.items.map(({ id }) => id);
  };
  return { rig, generation, run, get, listed };
}

describe('Folding stored documents anew in place', () => {
  it('mends what was damaged, where it stands, and writes nothing where nothing is wrong', async () => {
    const { rig, generation, run, get, listed } = await rigWith([
      added('a', 1),
      added('b', 200),
      added('a', 2),
    ]);
    const before = await get('a');
    rig.damage(generation, 'a', damaged);
    expect(await run(['a', 'b', 'nobody', 'a'])).toEqual([
      { id: 'a', outcome: 'repaired' },
      { id: 'b', outcome: 'unchanged' },
      { id: 'nobody', outcome: 'not there' },
    ]);
    expect(await get('a')).toEqual({ ...before, repairs: 1 });
    expect((await get('b'))?.repairs).toBeUndefined();
    expect(await listed('byTotal')).toEqual(['a', 'b']);
    const written = rig.database.now;
    expect(await run(['a'])).toEqual([{ id: 'a', outcome: 'unchanged' }]);
    expect(rig.database.now).toBe(written);
  });

  it('equals a fold from zero, whatever happened and whatever was damaged', async () => {
    const given = fc.array(
      fc.record({
        type: fc.constantFrom('added', 'added', 'added', 'closed', 'odd'),
        data: fc.record({ account: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 0, max: 13 }) }),
      }),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(given, fc.subarray(['a', 'b', 'c']), async (events, chosen) => {
        const { rig, generation, run } = await rigWith(events);
        const before = await rig.stored(accounts, generation);
        for (const id of chosen) if (before.has(id)) rig.damage(generation, id, damaged);
        await run([...before.keys()]);
        const after = await rig.stored(accounts, generation);
        const asBefore = [...after].map(([id, { position, parkedAt, deleted, body }]) => [
          id,
          { id, position, parkedAt, deleted, body },
        ]);
        expect(asBefore).toEqual([...before]);
        // Live passes go on from it.
        await rig.append(...storedEvents(events));
        await rig.feed(accounts, generation);
        await rig.expectFresh(accounts);
      }),
      { numRuns: 30 },
    );
  });

  it('lets parked documents go on once the fold is mended', async () => {
    const { run, get, listed } = await rigWith([added('a', 1), added('a', 13), added('a', 2), added('b', 1)]);
    expect(await listed(PARKED_INDEX)).toEqual(['a']);
    expect(await run('parked')).toMatchObject([
      {
        id: 'a',
        outcome: 'parked',
        failure: { message: 'Error: Thirteen cannot be added.', eventType: 'added' },
      },
    ]);
    expect((await get('a'))?.repairs).toBeUndefined();
    expect(await run('parked', { view: mended })).toEqual([{ id: 'a', outcome: 'repaired' }]);
    expect(await get('a')).toMatchObject({
      parkedAt: null,
      body: { total: 16, entries: [1, 13, 2] },
      repairs: 1,
    });
    expect(await listed(PARKED_INDEX)).toEqual([]);
    expect(await listed('byTotal')).toEqual(['b', 'a']);
    expect(await run('parked')).toEqual([]);
  });

  it('lets a document go on that had become too large, once later events have made it small enough', async () => {
    const named = (name: string): Given => ({ type: 'added', data: { account: 'a', amount: 1, name } });
    const notes: AnyView = {
      ...(accounts as AnyView),
      initial: () => ({ names: [] }) as ViewDocument,
      evolve: (document, event) => {
        const { name } = event.data as { name: string };
        const { names } = document as unknown as { names: readonly string[] };
        return { names: name === '' ? [] : [...names, name] } as ViewDocument;
      },
      keys: {},
      indexes: {},
    };
    const rig = new DocumentsRig();
    const generation = rig.generation(notes);
    const run = () =>
      refold(rig.stores, notes, generation, { documents: 'parked', parkedOnly: true }, rig.reading);
    const large = 'x'.repeat(3 << 20);
    for (let n = 0; n < 8; n++) await rig.append(...storedEvents([named(`${n}${large}`)]));
    await rig.feed(notes, generation, 1);
    expect(await run()).toMatchObject([{ outcome: 'parked', failure: { position: rig.log[5]!.position } }]);
    await rig.append(...storedEvents([named(''), named('short')]));
    await rig.feed(notes, generation, 1);
    expect((await rig.collection(notes, generation).get('a'))?.parkedAt).toBe(rig.log[5]!.position);
    expect(await run()).toEqual([{ id: 'a', outcome: 'repaired' }]);
    expect(await rig.collection(notes, generation).get('a')).toMatchObject({
      ...{ parkedAt: null, position: rig.log.at(-1)!.position, body: { names: ['short'] } },
    });
    expect(await run()).toEqual([]);
  });

  it('lets a parked document go on without an event that is skipped, or leaves an empty tombstone', async () => {
    const { rig, run, get } = await rigWith([added('a', 1), added('a', 13), added('a', 2), added('b', 13)]);
    rig.skipped.add(rig.log[1]!.id);
    rig.skipped.add(rig.log[3]!.id);
    expect(await run('parked')).toEqual([
      { id: 'a', outcome: 'repaired' },
      { id: 'b', outcome: 'repaired' },
    ]);
    expect(await get('a')).toMatchObject({ parkedAt: null, body: { total: 3, entries: [1, 2] } });
    expect(await get('b')).toMatchObject({ parkedAt: null, deleted: true, body: null });
    expect(await run(['a', 'b'])).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'unchanged' }]);
  });

  it('leaves documents alone that are not parked, where only parked ones are meant', async () => {
    const { rig, generation, run, get } = await rigWith([added('a', 1), added('b', 13)]);
    rig.damage(generation, 'a', damaged);
    expect(await run(['a', 'b'], { view: mended, parkedOnly: true })).toEqual([
      { id: 'a', outcome: 'not parked' },
      { id: 'b', outcome: 'repaired' },
    ]);
    expect((await get('a'))?.repairs).toBeUndefined();
  });

  it('leaves a document alone that another repair has unparked meanwhile, where only parked ones are meant', async () => {
    let reads = 0;
    const { rig, generation, run, get } = await rigWith([added('a', 13)], {
      // Another process repairs it between the reading of the log and of the document.
      before: ({ operation }: { operation: string }) => {
        if (operation !== 'getMany' || ++reads !== 2) return;
        rig.damage(generation, 'a', (document) => ({ ...damaged(document), parkedAt: null, repairs: 1 }));
      },
    });
    expect(await run('parked', { parkedOnly: true })).toEqual([{ id: 'a', outcome: 'not parked' }]);
    expect((await get('a'))?.body).toMatchObject({ total: -1 });
  });

  it('repairs every parked document once, however many there are, and though they are parked anew meanwhile', async () => {
    let pages = 0;
    const ids = Array.from({ length: 250 }, (_, n) => `account-${String(n).padStart(3, '0')}`);
    const { rig, generation, run, listed } = await rigWith(
      ids.map((id) => added(id, 13)),
      {
        before: async ({ operation }: { operation: string }) => {
          if (operation !== 'page' || ++pages !== 2) return;
          // It was repaired, and another event has parked it again: it is listed after all others now.
          const collection = openMemoryReadStore(rig.database).collection(generation.name, PARKED);
          const first = (await collection.get(ids[0]!))!;
          const { position } = rig.log.at(-1)!;
          const document = { ...first, position, parkedAt: position };
          await collection.apply([
            { expected: first.position, document, keys: { [PARKED_INDEX]: position } },
          ]);
        },
      },
    );
    const refolded = await run('parked', { view: mended });
    expect(refolded.map(({ id, outcome }) => `${id} ${outcome}`).sort()).toEqual(
      ids.map((id) => `${id} repaired`),
    );
    expect(await listed(PARKED_INDEX)).toEqual([]);
  });

  it('writes no more once it is ended', async () => {
    const ending = new AbortController();
    const { rig, generation } = await rigWith(
      Array.from({ length: 150 }, (_, n) => added(`account-${n}`, 1)),
      {
        before: ({ operation }: { operation: string }) => {
          if (operation === 'apply') ending.abort(new Error('Enough.'));
        },
      },
    );
    const ids = [...(await rig.stored(accounts, generation)).keys()];
    for (const id of ids) rig.damage(generation, id, damaged);
    const request = { documents: ids, parkedOnly: false };
    const options = { ...rig.reading, signal: ending.signal };
    await expect(refold(rig.stores, accounts, generation, request, options)).rejects.toThrow('Enough.');
    const stored = [...(await rig.stored(accounts, generation)).values()];
    expect(stored.filter(({ repairs }) => repairs === 1)).toHaveLength(100);
  });

  it('mends what does not even open', async () => {
    const { rig, generation, run, get } = await rigWith([added('a', 1)]);
    rig.damage(generation, 'a', (document) => ({ ...document, body: { person: 'p', personal: 'no seal' } }));
    expect(await run(['a'])).toEqual([{ id: 'a', outcome: 'repaired' }]);
    expect((await get('a'))?.body).toEqual({ total: 1, entries: [1], closed: false });
  });

  it('neither loses nor repeats an event that comes while it works', async () => {
    const moment = fc.record({
      operation: fc.constantFrom('getMany', 'apply'),
      nth: fc.integer({ min: 1, max: 4 }),
      when: fc.constantFrom('before', 'after'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 4 }), async (moments) => {
        const calls = new Map<string, number>();
        const meanwhile = async (when: string, operation: string): Promise<void> => {
          const key = `${when} ${operation}`;
          const nth = (calls.get(key) ?? 0) + 1;
          calls.set(key, nth);
          if (!moments.some((one) => one.when === when && one.operation === operation && one.nth === nth))
            return;
          await rig.append(...storedEvents([added('a', nth)]));
          await rig.feed(accounts, generation);
        };
        const made = await rigWith([added('a', 1), added('a', 2)], {
          before: ({ operation }: { operation: string }) => meanwhile('before', operation),
          after: ({ operation }: { operation: string }) => meanwhile('after', operation),
        });
        const { rig, generation, run, get } = made;
        rig.damage(generation, 'a', (document) => ({
          ...document,
          body: { ...(document.body as object), total: 99 },
        }));
        expect(await run(['a'])).toEqual([{ id: 'a', outcome: 'repaired' }]);
        const amounts = rig.log.map(({ data }) => (data as { amount: number }).amount);
        expect((await get('a'))?.body).toMatchObject({
          entries: amounts,
          total: amounts.reduce((sum, amount) => sum + amount, 0),
        });
      }),
      { numRuns: 60 },
    );
  });

  it('gives up where a document never stands still, having read the log about once', async () => {
    let rig: DocumentsRig | null = null;
    const made = await rigWith(
      Array.from({ length: 100 }, () => added('a', 1)),
      {
        before: async ({ operation }: { operation: string }) => {
          if (rig === null || operation !== 'apply') return;
          await rig.append(...storedEvents([added('a', 1)]));
          await rig.feed(accounts, made.generation);
        },
      },
    );
    made.rig.damage(made.generation, 'a', damaged);
    rig = made.rig;
    made.rig.reads = 0;
    expect(await made.run(['a'])).toEqual([{ id: 'a', outcome: 'moving' }]);
    expect(made.rig.reads).toBeLessThan(200);
  });
});
