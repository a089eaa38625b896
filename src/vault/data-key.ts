import { StoreUnusable } from '../core/errors.js';
import type { WrappingKey } from './wrapping.js';

/** Raised with every change of how a vault's entries are laid out. */
const FORMAT = 1;

/** A vault's description of itself. */
export interface Description {
  readonly format: number;
  /** Of the DATA_KEY that everything is wrapped by, but for what is still wrapped by `former`. */
  readonly check: string;
  /** While a change of DATA_KEY is under way: of the one before. */
  readonly former: string | null;
}

/** `begin` a change from `former`; `resume` one that was cut off; or there is nothing to change. */
export type KeyChange =
  { readonly step: 'none' } | { readonly step: 'begin' | 'resume'; readonly former: WrappingKey };

/** Once nothing is left that another key wraps. */
export const wrappedBy = (current: WrappingKey): Description => ({
  format: FORMAT,
  check: current.check,
  former: null,
});

/** From the first to the last step of a change of DATA_KEY. */
export const changing = (former: WrappingKey, current: WrappingKey): Description => ({
  ...wrappedBy(current),
  former: former.check,
});

/**
 * What must be done before a vault so described is served with DATA_KEY `current`. A change may be cut off at any
 * moment and repeated: until it is through, the vault opens only with both keys.
 * @throws {StoreUnusable} it is wrapped by another DATA_KEY, or was written by a newer version
 */
export function keyChange(
  described: Description,
  current: WrappingKey,
  former: WrappingKey | null,
): KeyChange {
  if (described.format > FORMAT)
    throw new StoreUnusable(
      `The vault was written by a newer version of this program (format ${described.format}, this one reads ${FORMAT}): run that version.`,
    );
  if (described.check === current.check) {
    if (described.former === null) return { step: 'none' };
    if (!former || described.former !== former.check)
      throw new StoreUnusable(
        'A change of DATA_KEY was cut off: set DATA_KEY_PREVIOUS to the former key and start once more.',
      );
    return { step: 'resume', former };
  }
  if (!former || described.check !== former.check)
    throw new StoreUnusable(
      'The vault is wrapped by another DATA_KEY: set DATA_KEY to the one it was made with, or DATA_KEY_PREVIOUS to that one in order to change it.',
    );
  if (described.former !== null)
    throw new StoreUnusable(
      'A former change of DATA_KEY was cut off: start once with the two keys of that change before changing it again.',
    );
  return { step: 'begin', former };
}

/** A wrapped thing that the keys at hand do not open, though a vault that was claimed holds no such. */
export const unreadable = (what: string): StoreUnusable =>
  new StoreUnusable(
    `${what} cannot be unwrapped: it is damaged, or DATA_KEY was changed by another process. Restart with the current DATA_KEY, or restore the vault from its backup.`,
  );

/** While everything is wrapped afresh: neither of the two keys opens it. */
export const wrappedByNeither = (what: string): StoreUnusable =>
  new StoreUnusable(
    `${what} is wrapped neither by DATA_KEY nor by DATA_KEY_PREVIOUS, or is damaged: restore it from the vault's backup.`,
  );

/** What was just stored is wrapped by a key that is not the vault's any more. */
export const keyChanged = (): StoreUnusable =>
  new StoreUnusable('DATA_KEY was changed by another process: restart with the current DATA_KEY.');
