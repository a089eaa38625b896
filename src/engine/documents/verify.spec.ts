import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DocumentsRig } from '../../../test/support/documents-rig.js';
import { type Account, accounts } from '../../../test/support/projection-rig.js';
import { storedEvents, type Given } from '../../../test/support/stored-events.js';
import type { Position } from '../../core/event-store.js';
import type { StoredDocument } from '../../stores/read-store.js';
import type { AnyView } from '../view.js';
import { GenerationGone } from './reading.js';
import { verifyGeneration, type VerifyOptions } from './verify.js';

const added = (account: string, amount: number): Given => ({ type: 'added', data: { account, amount } });
const NONE = { different: 0, missing: 0, extra: 0, behind: 0, unreadable: 0 };

/** Thirty accounts with three entries each; one is closed, another parked. */
async function filled({ segments = 1, view = accounts, hooks = {} } = {}) {
  const rig = new DocumentsRig(hooks);
  const generation = rig.generation(view, 1, segments);
  const ids = Array.from({ length: 30 }, (_, n) => `account-${n}`);
  await rig.append(...storedEvents([1, 2, 3].flatMap((amount) => ids.map((id) => added(id, amount)))));
  await rig.append(...storedEvents([{ type: 'closed', data: { account: ids[3] } }, added(ids[4]!, 13)]));
  await rig.feed(view, generation);
  rig.reads = 0;
  const verify = (options: Partial<VerifyOptions> = {}) =>
    verifyGeneration(rig.stores, view, generation, { ...rig.reading, which: 'all', ...options });
  const damage = (id: string, change: Parameters<DocumentsRig['damage']>[2]) =>
    rig.damage(generation, id, change);
  return { rig, generation, ids, verify, damage };
}

const withBody = (change: (body: Account) => unknown) => (document: StoredDocument) =>
  ({ ...document, body: change(document.body as unknown as Account) }) as StoredDocument;

describe('Verifying a generation', () => {
  it('finds nothing where the live passes did their work, in however many readings', async () => {
    for (const segments of [1, 4]) {
      const { verify } = await filled({ segments });
      for (const atOnce of [1_000, 7])
        expect(await verify({ atOnce })).toEqual({
          compared: 30,
          different: 0,
          kinds: NONE,
          moving: 0,
          first: [],
        });
    }
  });

  it('finds each single change, and says where it is', async () => {
    const changes: [string, (document: StoredDocument) => StoredDocument | null, object][] = [
      [
        'different',
        withBody((body) => ({ ...body, total: 7 })),
        { path: '/body/total', left: '7', right: '6' },
      ],
      [
        'different',
        withBody((body) => ({ ...body, entries: [1, 2] })),
        { path: '/body/entries/2', left: null, right: '3' },
      ],
      [
        'different',
        withBody((body) => ({ ...body, more: 1 })),
        { path: '/body/more', left: '1', right: null },
      ],
      [
        'different',
        (document) => ({ ...document, deleted: true }),
        { path: '/deleted', left: 'true', right: 'false' },
      ],
      [
        'different',
        (document) => ({ ...document, parkedAt: document.position }),
        { path: '/parkedAt', right: 'null' },
      ],
      ['missing', () => null, {}],
      ['missing', (document) => ({ ...document, deleted: true, body: null }), {}],
      [
        'behind',
        (document) => ({
          ...withBody((body) => ({ ...body, total: 3, entries: [1, 2] }))(document),
          position: '0000000000000060' as Position,
        }),
        {},
      ],
      ['unreadable', withBody((body) => ({ ...body, person: 'p', personal: 'changed' })), {}],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...changes),
        fc.integer({ min: 8, max: 29 }),
        async ([kind, change, field], pick) => {
          const { verify, damage, ids } = await filled({ segments: 3 });
          damage(ids[pick]!, change);
          const { different, kinds, first, compared } = await verify({ atOnce: 9 });
          expect({ different, kinds, compared }).toEqual({
            different: 1,
            kinds: { ...NONE, [kind]: 1 },
            compared: 30,
          });
          expect(first).toMatchObject([{ id: ids[pick], kind, fields: kind === 'different' ? [field] : [] }]);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('finds what is missing also where nothing is stored, in one part or in all', async () => {
    const { verify, damage, ids } = await filled();
    for (const id of ids.slice(0, 20)) damage(id, () => null);
    // Some of the ten parts hold none of the ten others.
    expect(await verify({ atOnce: 1 })).toMatchObject({
      compared: 30,
      different: 20,
      kinds: { missing: 20 },
    });
    for (const id of ids.slice(20)) damage(id, () => null);
    expect(await verify()).toMatchObject({ compared: 30, different: 30, kinds: { missing: 30 } });
  });

  it('finds a document that no event speaks of', async () => {
    const { rig, generation, verify } = await filled();
    const [some] = (await rig.stored(accounts, generation)).values();
    await rig
      .collection(accounts, generation)
      .apply([{ expected: null, document: { ...some!, id: 'nobody' }, keys: {} }]);
    expect((await verify()).first).toMatchObject([{ id: 'nobody', kind: 'extra' }]);
  });

  it('finds documents that are parked no longer by their events, once the fold is mended', async () => {
    const { rig, generation, ids } = await filled();
    const mended: AnyView = { ...(accounts as AnyView), evolve: (document) => document };
    const all = await verifyGeneration(rig.stores, mended, generation, {
      ...rig.reading,
      which: 'all',
      shown: { documents: 40, fields: 9 },
    });
    const parked = all.first.find(({ id }) => id === ids[4]);
    expect(parked?.fields).toContainEqual({
      path: '/parkedAt',
      left: `"${rig.log[91]!.position}"`,
      right: 'null',
    });
  });

  it('never shows what is personal', async () => {
    const secretive: AnyView = {
      ...(accounts as AnyView),
      keys: {},
      indexes: {},
      initial: () => ({ person: null, personal: null }),
      evolve: (_, { person, personal }) => ({ person, personal }),
    };
    const rig = new DocumentsRig();
    const generation = rig.generation(secretive);
    await rig.append(
      ...storedEvents([{ ...added('a', 1), person: 'ann', personal: { name: 'secret Ann' } }]),
    );
    await rig.feed(secretive, generation);
    const other = await rig.sealer.seal({ person: 'ann' as never, personal: { name: 'secret Bob' } });
    rig.damage(generation, 'a', (document) => ({ ...document, body: other }));
    const found = await verifyGeneration(rig.stores, secretive, generation, { ...rig.reading, which: 'all' });
    expect(found.first[0]?.fields).toEqual([
      { path: '/body/personal', left: '(personal)', right: '(personal)' },
    ]);
    expect(JSON.stringify(found)).not.toContain('secret');
    await rig.vault.keys.erase('ann' as never);
    expect(
      await verifyGeneration(rig.stores, secretive, generation, { ...rig.reading, which: 'all' }),
    ).toMatchObject({ different: 0 });
  });

  it('finds no difference in a person who is erased while it works', async () => {
    let reads = 0;
    const named: AnyView = {
      ...(accounts as AnyView),
      keys: {},
      indexes: {},
      initial: () => ({ person: null, personal: null }),
      evolve: (_, { person, personal }) => ({ person, personal }),
    };
    const rig = new DocumentsRig({
      // The events are decoded by then, and the stored document is not opened yet.
      before: async ({ operation }) => {
        if (operation === 'getMany' && ++reads === 1) await rig.vault.keys.erase('ann' as never);
      },
    });
    const generation = rig.generation(named);
    await rig.append(...storedEvents([{ ...added('a', 1), person: 'ann', personal: { name: 'Ann' } }]));
    await rig.feed(named, generation);
    const verified = await verifyGeneration(rig.stores, named, generation, { ...rig.reading, which: 'all' });
    expect(verified).toMatchObject({ compared: 1, different: 0 });
    expect(reads).toBeGreaterThan(0);
  });

  it('counts everything and describes the first few', async () => {
    const { verify, damage, ids } = await filled();
    for (const id of ids.slice(8))
      damage(
        id,
        withBody(() => ({ person: null, total: 0, entries: [], closed: true })),
      );
    const { different, first } = await verify({ shown: { documents: 2, fields: 1 } });
    expect(different).toBe(22);
    expect(first.map(({ fields, more }) => [fields.length, more])).toEqual([
      [1, true],
      [1, true],
    ]);
  });

  it('takes a sample by a seed, in which every document comes up some time', async () => {
    const { verify, damage, ids } = await filled();
    damage(
      ids[20]!,
      withBody((body) => ({ ...body, total: 7 })),
    );
    const of = async (size: number, seed: number) => await verify({ which: { size, seed } });
    expect(await of(5, 1)).toEqual(await of(5, 1));
    expect((await of(5, 1)).compared).toBe(5);
    expect(await of(100, 1)).toMatchObject({ compared: 30, different: 1 });
    const found = await Promise.all(
      Array.from({ length: 40 }, async (_, seed) => (await of(10, seed)).different),
    );
    const hits = found.filter((count) => count === 1).length;
    expect(hits).toBeGreaterThan(4);
    expect(hits).toBeLessThan(30);
  });

  it('compares documents that move on where they come to stand', async () => {
    let rig: DocumentsRig | null = null;
    let left = 12;
    const hooks = {
      before: async ({ operation }: { operation: string }) => {
        if (rig === null || operation !== 'getMany' || left-- <= 0) return;
        await rig.append(...storedEvents([added('account-9', 1), added('account-10', 2)]));
        await rig.feed(accounts, rig.generation(accounts));
      },
    };
    const { verify, damage, ids, rig: made } = await filled({ hooks });
    rig = made;
    damage(
      ids[9]!,
      withBody((body) => ({ ...body, total: 70 })),
    );
    const { compared, different, moving, first } = await verify();
    expect({ compared, different, moving }).toEqual({ compared: 30, different: 1, moving: 0 });
    expect(first[0]).toMatchObject({ id: ids[9], fields: [{ path: '/body/total' }] });
  });

  it('reads the log once for each part, and tells of it', async () => {
    const { rig, verify } = await filled();
    const seen = new Set<string>();
    await verify({
      atOnce: 8,
      onProgress: ({ part, parts, position }) => seen.add(`${part}/${parts} ${position}`),
    });
    expect(rig.reads).toBe(4 * 92);
    expect([...seen]).toEqual([1, 2, 3, 4].map((part) => `${part}/4 ${rig.log.at(-1)!.position}`));
  });

  it('says nothing of a generation that is dropped meanwhile', async () => {
    const { rig, generation, verify } = await filled();
    const verifying = verify({ onProgress: () => void rig.readStore.drop(generation.name) });
    await expect(verifying).rejects.toBeInstanceOf(GenerationGone);
  });
});
