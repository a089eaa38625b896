import { StoreUnusable } from '../event-store/errors.js';
import type { PersonRef } from './port.js';
import type { WrappingKey } from './wrapping.js';

/** What every vault checks before it takes an entry over from another one. */

/** Something else stands where an entry is to be put. */
export const otherStands = (what: string): StoreUnusable =>
  new StoreUnusable(`The vault to copy into holds another ${what}: copy into an empty one.`);

/** @throws {StoreUnusable} DATA_KEY does not open it, so that nobody could use it there */
export function assertOpens(wrapping: WrappingKey, what: string, wrapped: Buffer, owner: string): void {
  if (wrapping.unwrap(wrapped, owner)) return;
  throw new StoreUnusable(
    `The ${what} to be copied is not wrapped by this vault's DATA_KEY, or is damaged: open both vaults with the same DATA_KEY.`,
  );
}

/**
 * `rewrapped`: the same lies in both, wrapped at different times, as after a change of DATA_KEY in each.
 * @throws {StoreUnusable} something else stands, or what stands is damaged
 */
export function compareWrapped(
  wrapping: WrappingKey,
  what: string,
  given: Buffer,
  standing: Buffer,
  owner: string,
): 'same' | 'rewrapped' {
  if (standing.equals(given)) return 'same';
  const [theirs, ours] = [given, standing].map((wrapped) => wrapping.unwrap(wrapped, owner));
  if (theirs && ours?.equals(theirs)) return 'rewrapped';
  throw otherStands(what);
}

/** Field by field: what a store made of one may differ from it in nothing but its prototype. */
export const isSameRef = (one: PersonRef, other: PersonRef): boolean =>
  one.person === other.person && one.kind === other.kind && one.organisationId === other.organisationId;
