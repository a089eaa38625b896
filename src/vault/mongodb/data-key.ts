import { StoreUnusable } from '../../core/errors.js';
import { changing, type Description, keyChange, type KeyChange, wrappedBy } from '../data-key.js';
import { insertIfAbsent, type Table } from '../driver.js';
import type { WrappingKey } from '../wrapping.js';
import type { Calls } from './calls.js';
import type { Collections, DescriptionDocument } from './collections.js';
import { MongoTable } from './tables.js';
import { Tombstones } from './tombstones.js';
import { Rewrapping } from './rewrapping.js';

const KEY = ['vault'];

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
  const description = new MongoTable<Description, DescriptionDocument>(
    calls,
    collections.description,
    new Tombstones(collections.erased),
    { fields: ({ format, check, former }) => ({ format, check, former }), value: (document) => document },
  );
  const move = (from: Description, to: Description): Promise<boolean> =>
    calls.run(() => description.replace(KEY, from, to));
  const plan = async (): Promise<KeyChange> => {
    for (;;) {
      const described = await calls.run(() => describe(description, collections, current));
      const change = keyChange(described, current, former);
      // Said before anything is wrapped afresh: from here on the former key alone opens nothing.
      if (change.step !== 'begin' || (await move(described, changing(change.former, current)))) return change;
    }
  };
  const change = await plan();
  if (!former) return;
  const rewrapping = new Rewrapping(calls, collections, current, former);
  // Also without a change under way: a process that still ran with the former key may have stored something since.
  await rewrapping.run(change.step !== 'none');
  if (change.step !== 'none') await move(changing(former, current), wrappedBy(current));
}

/** What the vault holds about itself; stored if it is new. */
async function describe(
  description: Table<Description>,
  collections: Collections,
  current: WrappingKey,
): Promise<Description> {
  const stored = await description.get(KEY);
  if (stored) return stored;
  // Any process that stores anything has described the vault before.
  if ((await holdsAnything(collections)) && !(await description.get(KEY)))
    throw new StoreUnusable(
      'The vault holds personal keys but its description is lost: restore the whole vault from its backup.',
    );
  const own = wrappedBy(current);
  return (await insertIfAbsent(description, KEY, own)) ?? own;
}

async function holdsAnything({ keys, erased, secrets }: Collections): Promise<boolean> {
  const found = await Promise.all([keys.findOne({}), erased.findOne({}), secrets.findOne({})]);
  return found.some((document) => document !== null);
}
