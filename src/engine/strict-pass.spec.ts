import { describe, expect, it } from '@jest/globals';
import { body, passRig, type PassRigOptions } from '../../test/support/pass-rig.js';
import { accounts, added, type Recorded } from '../../test/support/projection-rig.js';
import type { Position } from '../core/event-store.js';
import { DocumentTooLarge } from '../stores/errors.js';
import { TimedFoldGuard } from './fold/fold-guard.js';
import type { AnyView } from './view.js';

const PAGES = [1, 2, 7, 100];

const before: readonly Recorded[] = [
  added('a', 1),
  { type: 'other', data: {} },
  added('b', 2),
  added('c', 3),
];
const after: readonly Recorded[] = [added('b', 4), added('a', 5), added('c', 13), added('d', 6)];

/** The same but for one call that misbehaves over an amount of 99. */
const view = (misbehaving: Partial<AnyView>): AnyView => ({ ...accounts, ...misbehaving });
const isBad = (event: { data: object }): boolean => (event.data as { amount?: number }).amount === 99;
const totalOf = (document: object): number => (document as { total: number }).total;
const loop = (): never => {
  for (;;);
};

const failing: readonly (readonly [string, Recorded, AnyView, string | null, string])[] = [
  ['cannot be folded', added('b', 13), accounts, 'b', 'Error: Thirteen cannot be added.'],
  [
    'gives no JSON',
    { type: 'odd', data: { account: 'b', amount: 1 } },
    accounts,
    'b',
    'NotJson: The number NaN is not JSON.',
  ],
  [
    'gives no index key',
    added('b', 99),
    view({
      keys: { half: (document) => totalOf(document) / (totalOf(document) > 99 ? 2 : 1) },
      indexes: { byHalf: ['half'] },
    }),
    'b',
    'IndexFailed: The index keys of document b cannot be made: ',
  ],
  ['belongs to no usable document', added('', 1), accounts, null, 'TypeError: The view "accounts" gives it'],
  [
    'loops in the fold',
    added('b', 99),
    view({
      evolve: (document, event) => (isBad(event) ? loop() : accounts.evolve(document as never, event)),
    }),
    'b',
    'The fold did not end within 0.15 s.',
  ],
  [
    'loops in the choice of its document',
    added('b', 99),
    view({ documentId: (event) => (isBad(event) ? loop() : accounts.documentId(event)) }),
    null,
    'The fold did not end within 0.15 s.',
  ],
];

/** Everything that a strict fold in such pages leaves, up to its end. */
async function strictly(events: readonly Recorded[], options: PassRigOptions) {
  const rig = passRig({ strict: true, guard: new TimedFoldGuard([100, 150]), ...options });
  const positions = await rig.record(...events);
  return { rig, positions, result: await rig.all() };
}

describe('A strict fold', () => {
  it.each(failing)(
    'stops right before an event that %s, the same in all pages',
    async (_, bad, view, documentId, message) => {
      const at = before.length;
      for (const page of PAGES) {
        const { rig, positions, result } = await strictly([...before, bad, ...after], { view, page });
        const [last, position] = positions.slice(at - 1);
        expect(result).toEqual({
          kind: 'failed',
          position: last,
          checkpoint: last,
          failure: {
            eventId: expect.any(String) as unknown,
            eventType: bad.type,
            position,
            documentId,
            message: expect.stringContaining(message) as unknown,
          },
        });
        expect(await rig.checkpoint()).toBe(last);
        const clean = await strictly(before, { view, page });
        expect(clean.result.kind).toBe('idle');
        expect(await rig.documents()).toEqual(await clean.rig.documents());
      }
    },
  );

  it('stops before an event after which a document is too large to store, the same in all pages', async () => {
    const tooLarge = ({ entries }: { entries: readonly number[] }): boolean => entries.length > 2;
    for (const page of PAGES) {
      const rig = passRig({ strict: true, page });
      const { apply } = rig.collection;
      rig.collection.apply = async (batch) => {
        const large = batch.find(({ document }) => tooLarge(body(document) ?? { entries: [] }));
        if (large !== undefined) throw new DocumentTooLarge(large.document.id);
        return await apply(batch);
      };
      const positions = await rig.record(
        ...[added('b', 1), added('a', 1), added('a', 2), added('b', 2), added('a', 3), added('b', 13)],
      );
      expect(await rig.all()).toMatchObject({
        kind: 'failed',
        position: positions[3],
        failure: {
          position: positions[4],
          documentId: 'a',
          message: expect.stringContaining('16 MiB') as unknown,
        },
      });
      expect(await rig.documents()).toMatchObject([
        { id: 'a', position: positions[2], parkedAt: null },
        { id: 'b', position: positions[3], parkedAt: null },
      ]);
    }
  });

  it('finds the first of several in log order, whichever document they belong to', async () => {
    for (const page of PAGES) {
      const { positions, result } = await strictly(
        [added('a', 1), added('b', 1), added('b', 13), added('a', 13), added('', 1)],
        { page },
      );
      expect(result).toMatchObject({ kind: 'failed', failure: { position: positions[2], documentId: 'b' } });
    }
  });

  it('answers at the very first event, too, with nothing written', async () => {
    const { rig, positions, result } = await strictly([added('a', 13), added('b', 1)], {});
    expect(result).toMatchObject({ kind: 'failed', checkpoint: null, failure: { position: positions[0] } });
    expect(await rig.documents()).toEqual([]);
    expect(await rig.checkpoint()).toBeNull();
  });

  it('goes on where it stood once the event is left out', async () => {
    const { rig, positions } = await strictly([...before, added('b', 13), added('b', 4)], {});
    await rig.skip(positions[before.length]);
    expect(await rig.all()).toMatchObject({ kind: 'idle', position: positions.at(-1) as Position });
    expect(await rig.total('b')).toBe(6);
  });

  it('only stops before an event that this process cannot deal with', async () => {
    const { positions, result } = await strictly([added('a', 1), { ...added('a', 2), schemaVersion: 2 }], {});
    expect(result).toMatchObject({ kind: 'stopped', reason: 'newer event', position: positions[0] });
  });
});
