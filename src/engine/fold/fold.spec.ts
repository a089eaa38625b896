import { describe, expect, it } from '@jest/globals';
import { passRig } from '../../../test/support/pass-rig.js';
import { accounts, added, markingSealer } from '../../../test/support/projection-rig.js';
import { storedEvents } from '../../../test/support/stored-events.js';
import type { Position } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import type { GuardedWrite, StoredDocument } from '../../stores/read-store.js';
import { foldGuard, FoldTimedOut } from './fold-guard.js';
import { describeReplayed, describeFold, openFold, PARKED_INDEX } from './fold.js';
import { Folding, foldTogether } from './folding.js';

const events = storedEvents([added('a', 1), added('a', 13), added('a', 2), added('a', 100)]);
const [first, poison, third, last] = events;
const stored: StoredDocument = {
  id: 'a',
  position: third?.position as Position,
  parkedAt: poison?.position as Position,
  deleted: false,
  body: { sealed: { total: 1, entries: [1], closed: false } },
};

/** The write that repairs the stored one with these events. */
async function repair(before: StoredDocument, own: readonly Stored[]): Promise<GuardedWrite> {
  const folding = new Folding(accounts, before.id, null, own);
  await foldTogether(foldGuard, [folding]);
  const { content, listing, refusal } = folding;
  return await describeReplayed(markingSealer, before, {
    content,
    listing,
    parkedAt: refusal?.event.position ?? null,
  });
}

const without = (...skipped: readonly unknown[]): readonly Stored[] =>
  events.slice(0, 3).filter((event) => !skipped.includes(event));

describe('A repair', () => {
  it('is a write over exactly the document that was read', async () => {
    expect(await repair(stored, without(poison))).toEqual({
      expected: stored.position,
      document: {
        ...stored,
        parkedAt: null,
        body: { sealed: { total: 3, entries: [1, 2], closed: false } },
        repairs: 1,
      },
      keys: { total: 3 },
    });
  });

  it('counts on from the repairs before it', async () => {
    const write = await repair({ ...stored, repairs: 2 }, without(poison));
    expect(write).toMatchObject({ expectedRepairs: 2, document: { repairs: 3 } });
  });

  it('leaves it parked where the event still cannot be folded', async () => {
    const write = await repair(stored, without());
    expect(write.document).toEqual({ ...stored, repairs: 1 });
    expect(write.keys).toEqual({ total: 1, [PARKED_INDEX]: poison?.position });
  });

  it('leaves a tombstone without a body where every event is left out', async () => {
    const write = await repair(stored, without(first, poison, third));
    expect(write.document).toMatchObject({ deleted: true, body: null, parkedAt: null });
    expect(write.keys).toEqual({});
  });
});

describe('A fold that was interrupted', () => {
  it('takes no event twice, though the guard repeats what had just ended', () => {
    const own = storedEvents([added('a', 1), added('a', 2)]);
    const folding = new Folding(accounts, 'a', null, own);
    for (const event of own) for (const one of [event, event]) folding.take(one);
    expect(folding.content).toMatchObject({ total: 3, entries: [1, 2] });
  });

  it('fails while it lists stored content, and lists nothing of a document without content', () => {
    const timedOut = new FoldTimedOut(1_000);
    const stored = new Folding(accounts, 'a', accounts.initial('a'), []);
    expect(() => stored.unlist(timedOut)).toThrow(timedOut);
    const first = new Folding(accounts, 'a', null, []);
    first.unlist(timedOut);
    expect([first.isListed, first.listing]).toEqual([true, { removed: false, keys: {} }]);
  });
});

describe('A document that was repaired', () => {
  it('carries that along', async () => {
    const before: StoredDocument = { ...stored, parkedAt: null, repairs: 4 };
    const fold = await openFold(accounts, markingSealer, 'a', before, events, new Set());
    if (fold === null) throw new Error('It has an event to go.');
    await foldTogether(foldGuard, [fold.folding]);
    expect((await describeFold(markingSealer, fold)).write).toMatchObject({
      expected: before.position,
      expectedRepairs: 4,
      document: { repairs: 4, position: last?.position, body: { sealed: { total: 101 } } },
    });
  });

  it('is not written over by a pass that had read it before', async () => {
    let meanwhile: (() => Promise<unknown>) | null = null;
    const rig = passRig({
      hooks: {
        before: async ({ operation }) => {
          if (operation !== 'apply' || meanwhile === null) return;
          const repair = meanwhile;
          meanwhile = null;
          await repair();
        },
      },
    });
    const [, poison] = await rig.record(added('a', 1), added('a', 13));
    await rig.all();
    const [last] = await rig.record(added('a', 2));
    await rig.skip(poison);
    meanwhile = async () => {
      const standing = (await rig.collection.get('a')) as StoredDocument;
      const body = { sealed: { total: 1, entries: [1], closed: false } };
      const document = { ...standing, parkedAt: null, body, repairs: 1 };
      await rig.collection.apply([{ expected: standing.position, document, keys: {} }]);
    };
    expect(await rig.pass()).toEqual({ kind: 'again', reason: 'document behind' });
    await rig.all();
    expect(await rig.collection.get('a')).toMatchObject({ position: last, parkedAt: null, repairs: 1 });
    expect(await rig.total('a')).toBe(3);
  });
});
