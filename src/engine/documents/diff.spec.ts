import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DocumentsRig } from '../../../test/support/documents-rig.js';
import type { MemoryReadStoreHooks } from '../../../test/support/memory-read-store.js';
import { accounts } from '../../../test/support/projection-rig.js';
import { storedEvents, type Given } from '../../../test/support/stored-events.js';
import { START } from '../../core/event-store.js';
import type { Generation, StoredDocument } from '../../stores/read-store.js';
import { checkpointNames } from '../generations/generations.js';
import { segmentOf } from '../segments.js';
import { compareDocuments, diffGenerations } from './diff.js';
import { changedSince, GenerationGone } from './reading.js';

const added = (account: string, amount: number): Given => ({ type: 'added', data: { account, amount } });
const NONE = { different: 0, 'only left': 0, 'only right': 0, unreadable: 0 };

const given = fc.array(
  fc.record({
    type: fc.constantFrom('added', 'added', 'added', 'closed', 'odd'),
    data: fc.record({
      account: fc.constantFrom('a', 'b', 'c', 'd'),
      amount: fc.integer({ min: 0, max: 13 }),
    }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Two generations of one view, fed to the end of a log. */
async function twins(events: readonly Given[], segments = 1, hooks: MemoryReadStoreHooks = {}) {
  const rig = new DocumentsRig(hooks);
  await rig.append(...storedEvents(events));
  const [one, other] = [rig.generation(accounts, 1), rig.generation(accounts, 2, segments)];
  for (const generation of [one, other]) await rig.feed(accounts, generation);
  const left = { view: accounts, generation: one };
  const right = { view: accounts, generation: other };
  return { rig, one, other, left, right, diff: () => diffGenerations(rig.stores, left, right) };
}

/** Sets a segment's checkpoint back to the log's beginning. */
async function setBack(rig: DocumentsRig, generation: Generation, segment: number): Promise<void> {
  const { checkpoints } = rig.readStore;
  const name = checkpointNames(generation)[segment]!;
  await checkpoints.advance(name, await checkpoints.get(name), START);
}

const changed = (document: StoredDocument): StoredDocument => ({
  ...document,
  body: { ...(document.body as object), total: -1 },
});

describe('Two generations', () => {
  it('of the same log differ in nothing, whatever their segments and repairs', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.integer({ min: 1, max: 5 }), async (events, segments) => {
        const { rig, other, diff } = await twins(events, segments);
        const [id] = (await rig.stored(accounts, other)).keys();
        rig.damage(other, id!, (document) => ({ ...document, repairs: 3 }));
        const compared = (await rig.stored(accounts, other)).size;
        expect(await diff()).toEqual({ compared, different: 0, kinds: NONE, moving: 0, first: [] });
      }),
      { numRuns: 30 },
    );
  });

  it('are compared in pieces between which others come first', async () => {
    const { rig, left, right } = await twins(Array.from({ length: 450 }, (_, n) => added(`account-${n}`, n)));
    let waits = 0;
    const throttle = {
      wait: () => {
        waits++;
        return Promise.resolve();
      },
    };
    const { compared } = await diffGenerations(rig.stores, left, right, { throttle });
    expect([compared, waits]).toEqual([450, 6]);
  });

  it('differ in what was changed in one of them, and the same is seen from either side', async () => {
    const kind = fc.constantFrom('same', 'changed', 'gone');
    await fc.assert(
      fc.asyncProperty(given, fc.tuple(kind, kind), fc.nat(), async (events, [mine, theirs], pick) => {
        const { rig, one, other, left, right } = await twins(events, 3);
        const ids = [...(await rig.stored(accounts, one)).keys()];
        const changes = { same: (document: StoredDocument) => document, changed, gone: () => null };
        rig.damage(one, ids[pick % ids.length]!, changes[mine]);
        rig.damage(other, ids[(pick + 1) % ids.length]!, changes[theirs]);
        const forth = await diffGenerations(rig.stores, left, right);
        const back = await diffGenerations(rig.stores, right, left);
        expect(back.kinds).toEqual({
          ...forth.kinds,
          'only left': forth.kinds['only right'],
          'only right': forth.kinds['only left'],
        });
        const mirrored = forth.first.map((found) => [
          found.id,
          found.fields.map(({ path, left: a, right: b }) => [path, b, a]),
        ]);
        const seen = back.first.map(({ id, fields }) => [
          id,
          fields.map(({ path, left: a, right: b }) => [path, a, b]),
        ]);
        expect(new Map(seen as [])).toEqual(new Map(mirrored as []));
        if (ids.length > 1) {
          const counts = { same: 0, changed: 0, gone: 0, [mine]: 1 };
          expect(forth.kinds['only right']).toBe(counts.gone);
          expect(forth.different).toBe([mine, theirs].filter((change) => change !== 'same').length);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('treat an empty tombstone as no document, and any other as one', async () => {
    const { rig, one, other, diff } = await twins([added('a', 1), added('b', 1)]);
    rig.damage(one, 'a', (document) => ({ ...document, deleted: true, body: null }));
    rig.damage(other, 'a', () => null);
    expect((await diff()).different).toBe(0);
    rig.damage(one, 'b', (document) => ({ ...document, deleted: true }));
    rig.damage(other, 'b', () => null);
    expect((await diff()).first).toMatchObject([{ id: 'b', kind: 'only left', fields: [] }]);
  });

  it('are compared where both stand, and what is on its way is waited for', async () => {
    const { rig, one, other, diff } = await twins([added('a', 1), added('b', 1)]);
    await rig.append(...storedEvents([added('a', 2), added('c', 1)]));
    await rig.feed(accounts, one);
    expect(await diff()).toMatchObject({ compared: 1, different: 0, moving: 2 });
    const waiting = diff();
    setTimeout(() => void rig.feed(accounts, other), 30);
    expect(await waiting).toMatchObject({ compared: 3, different: 0, moving: 0 });
  });

  it('differ where one passed an event of a document that the other one has', async () => {
    const { rig, other, diff } = await twins([added('a', 1), added('b', 1), added('a', 2)]);
    rig.damage(other, 'a', (document) => ({
      ...document,
      position: rig.log[0]!.position,
      body: { ...(document.body as object), total: 1, entries: [1] },
    }));
    expect((await diff()).first).toMatchObject([{ id: 'a', kind: 'different' }]);
    // What an operator had left out in one of them moves no document there, and is no difference.
    rig.damage(other, 'a', (document) => ({
      ...document,
      body: { ...(document.body as object), total: 3, entries: [1, 2] },
    }));
    expect(await diff()).toMatchObject({ compared: 2, different: 0, moving: 0 });
  });

  it.each(['one', 'other'] as const)('cannot be compared where the %s is dropped meanwhile', async (side) => {
    const { rig, left, right, ...generations } = await twins([added('a', 1)]);
    const dropping = { onProgress: () => void rig.readStore.drop(generations[side].name) };
    await expect(diffGenerations(rig.stores, left, right, dropping)).rejects.toBeInstanceOf(GenerationGone);
  });

  it('are compared at an equal position, though no checkpoint has come there yet', async () => {
    const { rig, one, other, diff } = await twins([added('a', 1), added('b', 1)]);
    for (const generation of [one, other]) await setBack(rig, generation, 0);
    expect(await diff()).toMatchObject({ compared: 2, different: 0, moving: 0 });
  });

  it('are compared as far as the document’s own segment has come', async () => {
    const ids = Array.from({ length: 9 }, (_, n) => `account-${n}`);
    const { rig, other, diff } = await twins(
      ids.map((id) => added(id, 1)),
      3,
    );
    const late = ids.filter((id) => segmentOf(id, 3) === 2);
    await setBack(rig, other, 2);
    for (const id of late) rig.damage(other, id, () => null);
    expect(late.length).toBeGreaterThan(0);
    expect(await diff()).toMatchObject({ compared: 9 - late.length, different: 0, moving: late.length });
  });

  it('are compared up to where the slower one was before its documents were read', async () => {
    let reads = 0;
    const { rig, one, other, diff } = await twins([added('a', 1)], 1, {
      after: async ({ operation }) => {
        if (operation === 'getMany' && ++reads === 2) await rig.feed(accounts, other);
      },
    });
    await rig.append(...storedEvents([added('a', 2)]));
    await rig.feed(accounts, one);
    // It looks as if it had folded the second event, and folds it once more.
    rig.damage(other, 'a', (document) => ({
      ...document,
      body: { ...(document.body as object), total: 3, entries: [1, 2] },
    }));
    expect(await diff()).toMatchObject({ compared: 1, different: 1, moving: 0 });
  });

  it('differ in nothing that is repaired while they are compared', async () => {
    const { rig, other, diff } = await twins([added('a', 1)], 1, {
      before: ({ operation }) => {
        if (operation === 'get') rig.damage(other, 'a', (document) => ({ ...document, body: whole! }));
      },
    });
    const whole = (await rig.stored(accounts, other)).get('a')?.body;
    rig.damage(other, 'a', changed);
    expect(await diff()).toMatchObject({ compared: 1, different: 0, moving: 0 });
  });

  it.each(['one', 'other'] as const)(
    'are compared again in a document that the %s folds on meanwhile',
    async (side) => {
      let meanwhile: Promise<void> | null = null;
      const goOn = async (): Promise<void> => {
        rig.damage(slow, 'a', (document) => ({ ...document, body: whole! }));
        await rig.append(...storedEvents([added('a', 2)]));
        await rig.feed(accounts, fast);
      };
      const { rig, one, other, diff } = await twins([added('a', 1)], 1, {
        before: ({ operation }) => (operation === 'get' ? (meanwhile ??= goOn()) : undefined),
      });
      const [fast, slow] = side === 'one' ? [one, other] : [other, one];
      const whole = (await rig.stored(accounts, slow)).get('a')?.body;
      rig.damage(slow, 'a', changed);
      expect(await diff()).toMatchObject({ compared: 0, different: 0, moving: 1 });
      await rig.feed(accounts, slow);
      expect(await diff()).toMatchObject({ compared: 1, different: 0, moving: 0 });
    },
  );

  it('differ in what does not open in one of them, which is named', async () => {
    const { rig, one, other, diff } = await twins([added('a', 1), added('b', 1)]);
    const sealed = (document: StoredDocument) => ({
      ...document,
      body: { person: 'p', personal: 'no seal' },
    });
    rig.damage(one, 'a', sealed);
    rig.damage(other, 'b', sealed);
    expect((await diff()).first).toMatchObject([
      { id: 'a', kind: 'unreadable', note: expect.stringMatching(/^Left: /) },
      { id: 'b', kind: 'unreadable', note: expect.stringMatching(/^Right: /) },
    ]);
  });

  it('are compared no longer once that is ended', async () => {
    const { rig, left, right } = await twins(Array.from({ length: 450 }, (_, n) => added(`account-${n}`, n)));
    const ending = new AbortController();
    let done = 0;
    const ended = diffGenerations(rig.stores, left, right, {
      signal: ending.signal,
      onProgress: (documents) => {
        done = documents;
        ending.abort(new Error('Enough.'));
      },
    });
    await expect(ended).rejects.toThrow('Enough.');
    expect(done).toBe(200);
  });

  it('are compared again in what a stretch of the log has changed', async () => {
    const { rig, other, left, right } = await twins([
      added('a', 1),
      added('b', 1),
      added('c', 1),
      added('b', 1),
      added('a', 1),
    ]);
    const position = (index: number) => rig.log[index]!.position;
    const since = (after: number, upTo: number) =>
      changedSince(
        rig.stores,
        [accounts, accounts],
        { after: after < 0 ? START : position(after), upTo: position(upTo) },
        rig.reading,
      );
    expect([...(await since(-1, 4))]).toEqual(['a', 'b', 'c']);
    expect([...(await since(1, 3))]).toEqual(['c', 'b']);
    const { data } = rig.log[1]!;
    const elsewhere = { ...accounts, documentId: () => `${(data as { account: string }).account}2` };
    const stretch = { after: position(0), upTo: position(1) };
    expect([...(await changedSince(rig.stores, [accounts, elsewhere], stretch, rig.reading))]).toEqual([
      'b',
      'b2',
    ]);
    rig.damage(other, 'c', changed);
    expect(await compareDocuments(rig.stores, left, right, await since(2, 4))).toMatchObject({
      compared: 2,
      different: 0,
    });
    expect(await compareDocuments(rig.stores, left, right, await since(1, 2))).toMatchObject({
      compared: 1,
      different: 1,
      first: [{ id: 'c', fields: [{ path: '/body/total', left: '1', right: '-1' }] }],
    });
  });
});
