import { createHmac, randomBytes } from 'node:crypto';
import { StoreUnusable } from '../core/errors.js';
import { decrypt, encrypt, GCM_OVERHEAD } from '../core/gcm.js';

const KEY_BYTES = 32;
const ID_BYTES = 8;

/** Length of a wrapped key. */
export const WRAPPED_KEY_BYTES = ID_BYTES + GCM_OVERHEAD + KEY_BYTES;

/**
 * Wraps person keys and server secrets by DATA_KEY. The result begins with 8 bytes of the key's check value, which
 * identify the key; the owner's name is authenticated with it.
 */
export class WrappingKey {
  /** Differs from every other key's and reveals nothing of the key. */
  readonly check: string;
  private readonly id: Buffer;

  /** @param name the setting's name, for the message */
  constructor(
    private readonly key: Buffer,
    readonly name: 'DATA_KEY' | 'DATA_KEY_PREVIOUS' = 'DATA_KEY',
  ) {
    if (key.length !== KEY_BYTES)
      throw new RangeError(`${name} must be ${KEY_BYTES} bytes long, not ${key.length}.`);
    const check = createHmac('sha256', key).update('assay vault check').digest();
    this.check = check.toString('hex');
    this.id = check.subarray(0, ID_BYTES);
  }

  /** Makes a random key, and wraps it. */
  wrapNew(owner: string): Buffer {
    return this.wrap(randomBytes(KEY_BYTES), owner);
  }

  /** Encrypts a secret. @param owner has to be the same to unwrap it */
  wrap(secret: Buffer, owner: string): Buffer {
    return Buffer.concat([this.id, encrypt(this.key, secret, Buffer.from(owner))]);
  }

  /** `null`: wrapped by another key, for another owner, or damaged. */
  unwrap(wrapped: Buffer, owner: string): Buffer | null {
    if (!wrapped.subarray(0, ID_BYTES).equals(this.id)) return null;
    return decrypt(this.key, wrapped.subarray(ID_BYTES), Buffer.from(owner));
  }
}

export interface DataKeyOptions {
  /**
   * DATA_KEY_PREVIOUS: everything that it still wraps is rewrapped by DATA_KEY before the vault is open. Left out:
   * DATA_KEY is not being changed.
   */
  readonly previousDataKey?: Buffer;
  /**
   * Called once nothing is wrapped by DATA_KEY_PREVIOUS any more; `now`: by this opening. Never without that key.
   */
  readonly onChanged?: (when: 'now' | 'before') => void;
}

/** DATA_KEY and, while it is being changed, the former one. */
export const wrappingKeys = (dataKey: Buffer, { previousDataKey }: DataKeyOptions) => ({
  current: new WrappingKey(dataKey),
  former: previousDataKey ? new WrappingKey(previousDataKey, 'DATA_KEY_PREVIOUS') : null,
});

/** Raised with every change of how a vault's entries are laid out. */
const FORMAT = 1;

/** A vault's description of itself. */
export interface Description {
  readonly format: number;
  /** Check value of the DATA_KEY that wraps everything, except the entries that `former` still wraps. */
  readonly check: string;
  /** Check value of the former DATA_KEY while a change of it is under way; else `null`. */
  readonly former: string | null;
}

/** `begin` a change from `former`; `resume` an interrupted one; `none`: there is nothing to change. */
export type KeyChange =
  { readonly step: 'none' } | { readonly step: 'begin' | 'resume'; readonly former: WrappingKey };

/** The description of a vault in which `current` wraps everything. */
export const wrappedBy = (current: WrappingKey): Description => ({
  format: FORMAT,
  check: current.check,
  former: null,
});

/** The vault's description between the first and the last step of a change of DATA_KEY. */
export const changing = (former: WrappingKey, current: WrappingKey): Description => ({
  ...wrappedBy(current),
  former: former.check,
});

/**
 * The change that a vault with this description needs before it can be used with DATA_KEY `current`. A change may be
 * interrupted at any moment and repeated: until it has ended, the vault opens only with both keys.
 * @throws {StoreUnusable} another DATA_KEY wraps the vault, or a newer version wrote it
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

/** The error if DATA_KEY does not open a key or a secret. @param what the beginning of a sentence */
export const unreadable = (what: string): StoreUnusable =>
  new StoreUnusable(
    `${what} cannot be unwrapped: it is damaged, or DATA_KEY was changed by another process. Restart with the current DATA_KEY, or restore the vault from its backup.`,
  );

/** The error, during a change of DATA_KEY, if neither key opens a key or a secret. @param what the beginning of a sentence */
export const wrappedByNeither = (what: string): StoreUnusable =>
  new StoreUnusable(
    `${what} is wrapped neither by DATA_KEY nor by DATA_KEY_PREVIOUS, or is damaged: restore it from the vault's backup.`,
  );

/** The error if another process has changed DATA_KEY: the entry that was just stored is wrapped by the former one. */
export const keyChanged = (): StoreUnusable =>
  new StoreUnusable('DATA_KEY was changed by another process: restart with the current DATA_KEY.');
