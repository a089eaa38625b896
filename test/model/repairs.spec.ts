import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { diffGenerations } from '../../src/engine/documents/diff.js';
import { refold } from '../../src/engine/documents/refold.js';
import { verifyGeneration } from '../../src/engine/documents/verify.js';
import type { StoredDocument } from '../../src/stores/read-store.js';
import { DocumentsRig } from '../support/documents-rig.js';
import { accounts } from '../support/projection-rig.js';
import { storedEvents } from '../support/stored-events.js';

const view = accounts;

/** A 13 cannot be folded; half of the events are of one document. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('append' as const),
      account: fc.constantFrom('a', 'a', 'b', 'c'),
      amount: fc.constantFrom(1, 2, 13, 13),
      close: fc.boolean(),
      personal: fc.boolean(),
    }),
    fc.record({ do: fc.constant('feed' as const), page: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ do: fc.constant('skip' as const), pick: fc.nat() }),
    fc.record({ do: fc.constant('retry' as const) }),
    fc.record({ do: fc.constant('replay' as const), account: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ do: fc.constant('rebuild' as const), page: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ do: fc.constant('erase' as const) }),
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
);

type Steps = typeof steps extends fc.Arbitrary<infer S> ? S : never;

async function play(sequence: Steps) {
  const rig = new DocumentsRig();
  let live = rig.generation(view);
  const parked = async (): Promise<readonly StoredDocument[]> =>
    [...(await rig.stored(view, live)).values()].filter(({ parkedAt }) => parkedAt !== null);
  const idAt = (position: string | null): string => rig.log[Number(position) - 1]!.id;
  /** Parked documents that wait for a retry: the event at which they are parked is skipped by now. */
  const waiting = async (): Promise<readonly string[]> =>
    (await parked()).filter(({ parkedAt }) => rig.skipped.has(idAt(parkedAt))).map(({ id }) => id);
  const verify = () => verifyGeneration(rig.stores, view, live, { which: 'all', ...rig.reading });
  const retry = (documents: readonly string[] | 'parked', parkedOnly: boolean) =>
    refold(rig.stores, view, live, { documents, parkedOnly }, rig.reading);
  for (const step of sequence) {
    switch (step.do) {
      case 'append': {
        const { account, amount, close, personal } = step;
        const data = close ? { account } : { account, amount };
        const secret = personal ? { person: account, personal: { amount } } : {};
        const erased = rig.vault.known.get(account as never)?.kind === 'erased';
        await rig.append(
          ...storedEvents([{ type: close ? 'closed' : 'added', data, ...(erased ? {} : secret) }]),
        );
        break;
      }
      case 'feed':
        await rig.feed(view, live, step.page);
        break;
      case 'skip': {
        const candidates = await parked();
        const one = candidates[step.pick % candidates.length];
        if (one) rig.skipped.add(idAt(one.parkedAt));
        break;
      }
      case 'retry':
        await retry('parked', true);
        break;
      case 'replay':
        await retry([step.account], false);
        break;
      case 'rebuild':
        live = rig.generation(view, live.number + 1);
        await rig.feed(view, live, step.page);
        break;
      case 'erase': {
        const [person] = rig.vault.known.keys();
        if (person !== undefined) await rig.vault.keys.erase(person);
        break;
      }
    }
    const wait = await waiting();
    const found = await verify();
    expect(found.first.map(({ id }) => id).filter((id) => !wait.includes(id))).toEqual([]);
    expect(found).toMatchObject({ different: wait.length, moving: 0 });
  }
  return { rig, live, retry, verify };
}

describe('Views with events that cannot be folded', () => {
  it('hold at every step exactly the fold of their events, after any parking, skip, repair and rebuild', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (sequence, page) => {
        const { rig, live, retry, verify } = await play(sequence);
        await rig.feed(view, live, page);
        await retry('parked', true);
        expect(await verify()).toMatchObject({ different: 0, moving: 0 });
        const anew = rig.generation(view, live.number + 1);
        await rig.feed(view, anew, 1 + (page % 3));
        const [left, right] = [live, anew].map((generation) => ({ view, generation }));
        expect(await diffGenerations(rig.stores, left!, right!)).toMatchObject({ different: 0, moving: 0 });
      }),
      { numRuns: 60 },
    );
  });
});
