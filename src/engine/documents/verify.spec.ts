import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DocumentsRig } from '../../../test/support/documents-rig.js';
import { type Account, accounts } from '../../../test/support/projection-rig.js';
import { storedEvents, type Given } from '../../../test/support/stored-events.js';
import { START, type Position } from '../../core/event-store.js';
import type { StoredDocument } from '../../stores/read-store.js';
import { checkpointNames } from '../generations/generations.js';
import { segmentOf } from '../segments.js';
import type { AnyView } from '../view.js';
import { GenerationGone } from './reading.js';
import { sampleOf, verifyGeneration, type VerifyOptions } from './verify.js';

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

  it('finds a document behind by the one event at which its checkpoint is', async () => {
    const { rig, verify, damage, ids } = await filled();
    const position = rig.log[64]!.position;
    damage(ids[4]!, (document) => ({ ...document, position, parkedAt: null }));
    const note = `It is at ${position}, its events reach to ${rig.log[91]!.position}.`;
    expect((await verify()).first).toMatchObject([{ id: ids[4], kind: 'behind', note }]);
  });

  it('looks for documents as far as their own segment has come', async () => {
    const { rig, generation, verify, damage, ids } = await filled({ segments: 3 });
    const behind = (segmentOf(ids[4]!, 3) + 1) % 3;
    const late = ids.filter((id) => segmentOf(id, 3) === behind);
    const name = checkpointNames(generation)[behind]!;
    await rig.readStore.checkpoints.advance(name, await rig.readStore.checkpoints.get(name), START);
    for (const id of [ids[4]!, ...late]) damage(id, () => null);
    const { compared, first } = await verify();
    // Its last event is after those of all stored documents.
    const note = `Its events reach to ${rig.log[91]!.position}.`;
    expect(first).toMatchObject([{ id: ids[4], kind: 'missing', note }]);
    expect(compared).toBe(30 - late.length);
  });

  it('finds nothing in what is written while it looks', async () => {
    const { rig, generation, verify, damage, ids } = await filled();
    const kept = await rig.stored(accounts, generation);
    const before = rig.log[39]!.position;
    damage(ids[8]!, () => null);
    damage(ids[9]!, (document) => ({
      ...withBody((body) => ({ ...body, total: 3, entries: [1, 2] }))(document),
      position: before,
    }));
    const writes = [null, before].map((expected, n) => ({
      expected,
      document: kept.get(ids[8 + n]!)!,
      keys: {},
    }));
    const written: Promise<unknown>[] = [];
    const onProgress = (): void => {
      if (written.length === 0) written.push(rig.collection(accounts, generation).apply(writes));
    };
    expect(await verify({ onProgress })).toMatchObject({ different: 0 });
    expect(await Promise.all(written)).toEqual([['written', 'written']]);
  });

  it.each([false, true])(
    'finds nothing in what is repaired while it compares, folded on too: %s',
    async (on) => {
      let meanwhile: Promise<void> | null = null;
      const goOn = async (): Promise<void> => {
        damage(ids[9]!, (document) => ({ ...document, body: whole! }));
        if (!on) return;
        await rig.append(...storedEvents([added(ids[9]!, 1)]));
        await rig.feed(accounts, generation);
      };
      const hooks = {
        before: ({ operation }: { operation: string }) =>
          operation === 'get' ? (meanwhile ??= goOn()) : undefined,
      };
      const { rig, generation, verify, damage, ids } = await filled({ hooks });
      const whole = (await rig.stored(accounts, generation)).get(ids[9]!)?.body;
      damage(
        ids[9]!,
        withBody((body) => ({ ...body, total: 7 })),
      );
      expect(await verify()).toMatchObject({ compared: 30, different: 0, moving: 0 });
      expect(meanwhile).not.toBeNull();
    },
  );

  it('counts what never stands still, and ends when told', async () => {
    let isMoving = false;
    const hooks = {
      before: async ({ operation }: { operation: string }) => {
        if (operation !== 'getMany' || !isMoving) return;
        await rig.append(...storedEvents([added('account-9', 1)]));
        await rig.feed(accounts, generation);
      },
    };
    const { rig, generation, verify } = await filled({ hooks });
    isMoving = true;
    expect(await verify()).toMatchObject({ compared: 29, different: 0, moving: 1 });
    isMoving = false;
    const ended = verify({ signal: AbortSignal.abort(new Error('Enough.')) });
    await expect(ended).rejects.toThrow('Enough.');
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
    const { rig, generation, verify, damage, ids } = await filled();
    damage(
      ids[20]!,
      withBody((body) => ({ ...body, total: 7 })),
    );
    const of = async (size: number, seed: number) => await verify({ which: { size, seed } });
    expect(await of(5, 1)).toEqual(await of(5, 1));
    expect((await of(5, 1)).compared).toBe(5);
    expect(await of(100, 1)).toMatchObject({ compared: 30, different: 1 });
    expect(await verify({ which: { size: 20, seed: 1 }, atOnce: 8 })).toMatchObject({ compared: 20 });
    const samples = await Promise.all(
      Array.from({ length: 60 }, (_, seed) =>
        sampleOf(rig.collection(accounts, generation), { size: 10, seed }),
      ),
    );
    for (const id of ids) {
      // A third of them, about.
      const hits = samples.filter((sample) => sample.some(([one]) => one === id)).length;
      expect(hits).toBeGreaterThan(8);
      expect(hits).toBeLessThan(32);
    }
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
    // Later readings begin where the first one ended.
    expect(rig.reads).toBeLessThan(2 * rig.log.length);
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
