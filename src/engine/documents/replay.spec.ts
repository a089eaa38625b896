import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DocumentsRig } from '../../../test/support/documents-rig.js';
import { type Account, accounts } from '../../../test/support/projection-rig.js';
import { storedEvents, type Given } from '../../../test/support/stored-events.js';
import { VaultUnavailable } from '../../core/errors.js';
import { START, type Position } from '../../core/event-store.js';
import type { PersonId } from '../../core/vault/port.js';
import { MAX_DOCUMENT_BYTES } from '../../stores/rules.js';
import { TimedFoldGuard } from '../fold/fold-guard.js';
import type { AnyView, ViewDocument } from '../view.js';
import { CannotFold } from './reading.js';
import { replayDocuments, type ReplayedDocument } from './replay.js';

/** What happens to three accounts: some amounts cannot be folded, some are no JSON. */
const given = fc.array(
  fc.record({
    type: fc.constantFrom('added', 'added', 'added', 'closed', 'odd', 'other'),
    data: fc.record({
      account: fc.constantFrom('a', 'b', 'c', null),
      amount: fc.integer({ min: 0, max: 14 }),
    }),
  }),
  { maxLength: 60 },
) satisfies fc.Arbitrary<Given[]>;

describe('Replaying documents', () => {
  it('parks where the live passes park, and leaves out what is skipped', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.nat(), fc.integer({ min: 1, max: 9 }), async (events, skip, page) => {
        const rig = new DocumentsRig();
        await rig.append(...storedEvents(events));
        if (rig.log.length > 0) rig.skipped.add(rig.log[skip % rig.log.length]!.id);
        await rig.feed(accounts, rig.generation(accounts), page);
        await rig.expectFresh(accounts);
      }),
      { numRuns: 60 },
    );
  });

  it('goes on from what it came to before as if it had never stopped', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), async (events, cuts) => {
        const rig = new DocumentsRig();
        await rig.append(...storedEvents(events));
        const at = (index: number): Position => rig.log[index]?.position ?? START;
        const targets = (from: number) =>
          new Map(['a', 'b', 'c'].map((id, n) => [id, at(cuts[from + n]! % (events.length + 1))]));
        const [some, others] = [targets(0), targets(3)];
        const [first, last] = [new Map<string, Position>(), new Map<string, Position>()];
        for (const [id, one] of some) {
          const other = others.get(id)!;
          first.set(id, one < other ? one : other);
          last.set(id, one < other ? other : one);
        }
        const documents = await replayDocuments(rig.stores, accounts, first, rig.reading);
        const carried = { documents, targets: first };
        const bySteps = await replayDocuments(rig.stores, accounts, last, {
          ...rig.reading,
          carried,
        });
        expect(sorted(bySteps)).toEqual(
          sorted(await replayDocuments(rig.stores, accounts, last, rig.reading)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['its text', (text: string) => ({ text }), 'x'.repeat(MAX_DOCUMENT_BYTES / 2)],
    ['its bytes, of fewer characters', (text: string) => ({ text }), 'é'.repeat(MAX_DOCUMENT_BYTES / 4)],
    [
      'its sealed part',
      (text: string) => ({ person: 'ann', personal: { text } }),
      'x'.repeat(MAX_DOCUMENT_BYTES * 0.4),
    ],
  ])(
    'parks a document at the event after which it could not be stored, for %s',
    async (_, described, half) => {
      const rig = new DocumentsRig();
      const texts: AnyView = {
        ...(accounts as AnyView),
        name: 'texts',
        keys: {},
        indexes: {},
        initial: () => ({ n: 0 }) as unknown as ViewDocument,
        evolve: (document) => {
          const n = (document as unknown as { n: number }).n + 1;
          return { n, ...described(half.repeat(n)) } as unknown as ViewDocument;
        },
      };
      await rig.vault.keys.create('ann' as PersonId);
      const event = { type: 'added', data: { account: 'a' } };
      await rig.append(...storedEvents([event, event, event]));
      await rig.feed(texts, rig.generation(texts));
      await rig.expectFresh(texts);
      const replayed = await replayDocuments(
        rig.stores,
        texts,
        new Map([['a', rig.log[2]!.position]]),
        rig.reading,
      );
      expect(replayed.get('a')).toMatchObject({
        position: rig.log[2]!.position,
        content: { n: 1 },
        parked: { position: rig.log[1]!.position, message: 'The document would be larger than 16 MiB.' },
      });
    },
  );

  describe('of a document that was too large for a while', () => {
    const large = 'x'.repeat(6 << 20);
    /** Its text grows by one that is given, keeps its first letters where none is, and is never `refused`. */
    const texts: AnyView = {
      ...(accounts as AnyView),
      name: 'texts',
      keys: { total: () => 7 },
      initial: () => ({ texts: [] }) as unknown as ViewDocument,
      evolve: (document, event) => {
        const { text } = event.data as { text: string | null };
        if (text === 'refused') throw new Error('It is refused.');
        const before = (document as unknown as { texts: readonly string[] }).texts;
        const after = text === null ? before.map((one) => one.slice(0, 1)) : [...before, text];
        return { texts: after } as unknown as ViewDocument;
      },
    };
    const replayed = async (given: readonly (string | null)[]) => {
      const rig = new DocumentsRig();
      await rig.append(
        ...storedEvents(given.map((text) => ({ type: 'added', data: { account: 'a', text } }))),
      );
      const targets = new Map([['a', rig.log.at(-1)!.position]]);
      return (await replayDocuments(rig.stores, texts, targets, rig.reading)).get('a')!;
    };

    it('goes on from all of its events, page by page, once it is small enough', async () => {
      // Each of them is a page of its own.
      const { content, parked } = await replayed([large, `b${large}`, `c${large}`, null, 'd']);
      expect(parked).toBeNull();
      expect(content).toEqual({ texts: ['x', 'b', 'c', 'd'] });
    });

    it.each([
      ['in one page', ['a', large, `b${large}`, `c${large}`, 'refused', null]],
      ['in pages of their own', ['a', large, `b${large}`, `c${large}`, 'refused', large, null]],
    ])('stays parked where an event was refused meanwhile, %s', async (_, given) => {
      const { parked, listing, position } = await replayed(given);
      expect(parked?.message).toBe('The document would be larger than 16 MiB.');
      expect(listing).toEqual({ removed: false, keys: { total: 7 } });
      expect(Number(position)).toBe(given.length);
    });
  });

  it('parks a document whose fold never ends', async () => {
    const rig = new DocumentsRig();
    const looping: AnyView = {
      ...(accounts as AnyView),
      evolve: (document, event) => {
        while ((event.data as { amount: number }).amount === 7);
        return accounts.evolve(document as Account, event);
      },
    };
    await rig.append(
      ...storedEvents([1, 7, 2].map((amount) => ({ type: 'added', data: { account: 'a', amount } }))),
    );
    const guard = new TimedFoldGuard([50, 50]);
    const options = { ...rig.reading, guard };
    const replayed = await replayDocuments(
      rig.stores,
      looping,
      new Map([['a', rig.log[2]!.position]]),
      options,
    );
    expect(replayed.get('a')).toMatchObject({
      content: { total: 1 },
      parked: { position: rig.log[1]!.position, message: expect.stringContaining('did not end') },
    });
  });

  it('reads no further than it has to, tells how far it is, and ends when told', async () => {
    const rig = new DocumentsRig();
    const many = Array.from({ length: 1_200 }, () => ({ type: 'added', data: { account: 'a', amount: 1 } }));
    await rig.append(...storedEvents(many));
    const seen: Position[] = [];
    const targets = new Map([['a', rig.log[1_100]!.position]]);
    const onProgress = (position: Position): void => void seen.push(position);
    const replayed = await replayDocuments(rig.stores, accounts, targets, {
      ...rig.reading,
      onProgress,
    });
    expect(replayed.get('a')?.content).toMatchObject({ total: 1_101 });
    expect(seen).toEqual([499, 999, 1_100].map((index) => rig.log[index]!.position));
    expect(rig.reads).toBe(1_101);
    const ending = new AbortController();
    const ended = replayDocuments(rig.stores, accounts, targets, {
      ...rig.reading,
      signal: ending.signal,
      onProgress: () => ending.abort(new Error('Enough.')),
    });
    await expect(ended).rejects.toThrow('Enough.');
    // The second page was read when it ended, and the third was not.
    expect(rig.reads).toBeLessThan(2_150);
  });
});

describe('A replay that is ended at its last page', () => {
  it('returns nothing', async () => {
    const rig = new DocumentsRig();
    await rig.append(...storedEvents([{ type: 'added', data: { account: 'a', amount: 1 } }]));
    const ending = new AbortController();
    const ended = replayDocuments(rig.stores, accounts, new Map([['a', rig.log[0]!.position]]), {
      ...rig.reading,
      signal: ending.signal,
      onProgress: () => ending.abort(new Error('Enough.')),
    });
    await expect(ended).rejects.toThrow('Enough.');
  });
});

describe('An event that is in the way', () => {
  const event = { type: 'added', data: { account: 'a', amount: 1 } };
  const fold = (rig: DocumentsRig, stores: Partial<DocumentsRig['stores']> = {}) =>
    replayDocuments(
      { ...rig.stores, ...stores },
      accounts,
      new Map([['a', rig.log.at(-1)!.position]]),
      rig.reading,
    );

  it('of a newer version, or unreadable, is named, unless it is skipped', async () => {
    const rig = new DocumentsRig();
    const [first, newer] = storedEvents([event, event]);
    await rig.append(first!, { ...newer!, metadata: { ...newer!.metadata, schemaVersion: 2 } });
    await expect(fold(rig)).rejects.toThrow(
      new CannotFold(rig.log[1]!, 'A added event was written by a newer version.'),
    );
    const decode = () => Promise.reject(new Error('The vault holds no key for it.'));
    await expect(fold(rig, { codec: { decode } })).rejects.toThrow(
      `Event ${rig.log[0]!.id} (test-1, revision 0) is in the way: A added event cannot be read: ` +
        'Error: The vault holds no key for it.',
    );
    rig.skipped.add(rig.log[1]!.id);
    expect((await fold(rig)).get('a')?.content).toMatchObject({ total: 1 });
  });

  it('that no document can be told of is named too', async () => {
    const rig = new DocumentsRig();
    await rig.append(...storedEvents([event, { type: 'added', data: { account: '', amount: 1 } }]));
    await expect(fold(rig)).rejects.toMatchObject({ name: 'CannotFold', event: { id: rig.log[1]!.id } });
  });

  it('is none where the vault is away: that passes', async () => {
    const rig = new DocumentsRig();
    await rig.append(...storedEvents([event]));
    const decode = () => Promise.reject(new VaultUnavailable('The vault does not answer.'));
    await expect(fold(rig, { codec: { decode } })).rejects.toBeInstanceOf(VaultUnavailable);
  });
});

const sorted = (documents: ReadonlyMap<string, ReplayedDocument>) =>
  [...documents].sort(([a], [b]) => (a < b ? -1 : 1));
