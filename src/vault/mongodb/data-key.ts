import { StoreUnusable } from '../../core/errors.js';
import { changing, type Description, keyChange, type KeyChange, wrappedBy } from '../data-key.js';
import type { WrappingKey } from '../wrapping.js';
import type { Calls } from './calls.js';
import type { Collections } from './collections.js';
import { standing as whatStands } from './insert.js';
import { Rewrapping } from './rewrapping.js';

const ID = { _id: 'vault' } as const;

/**
 * Makes sure that the vault is wrapped by `current`, and takes it over from `former` if it is not. Any number of
 * processes may do so at once, and each may end at any moment: what one has done, the next passes over.
 * @throws {StoreUnusable} another DATA_KEY, a newer version's vault, or one whose description is lost; nothing is
 *   written
 */
export async function claim(
  calls: Calls,
  collections: Collections,
  current: WrappingKey,
  former: WrappingKey | null,
): Promise<void> {
  const { description } = collections;
  const move = async (from: Description, to: Description): Promise<boolean> => {
    const { format, check, former: before } = from;
    const guard = { ...ID, format, check, former: before };
    return calls.run(async () => (await description.updateOne(guard, { $set: to })).matchedCount === 1);
  };
  const plan = async (): Promise<KeyChange> => {
    for (;;) {
      const standing = await calls.run(() => describe(collections, current));
      const change = keyChange(standing, current, former);
      // Said before anything is wrapped afresh: from here on the former key alone opens nothing.
      if (change.step !== 'begin' || (await move(standing, changing(change.former, current)))) return change;
    }
  };
  const change = await plan();
  if (!former) return;
  const rewrapping = new Rewrapping(calls, collections, current, former);
  // Also without a change under way: a process that still ran with the former key may have stored something since.
  await rewrapping.run(change.step !== 'none');
  if (change.step !== 'none') await move(changing(former, current), wrappedBy(current));
}

/** What stands in the vault about itself; put there where it is new. */
async function describe(collections: Collections, current: WrappingKey): Promise<Description> {
  const { description } = collections;
  const standing = await description.findOne(ID);
  if (standing) return standing;
  // Whoever stores anything has described the vault before.
  if ((await holdsAnything(collections)) && !(await description.findOne(ID)))
    throw new StoreUnusable(
      'The vault holds personal keys but its description is lost: restore the whole vault from its backup.',
    );
  return whatStands(description, { ...ID, ...wrappedBy(current) });
}

async function holdsAnything({ keys, erased, secrets }: Collections): Promise<boolean> {
  const found = await Promise.all([keys.findOne({}), erased.findOne({}), secrets.findOne({})]);
  return found.some((document) => document !== null);
}
