import type { AudioStore } from './audio.js';
import type { PersonId } from './person-id.js';
import type { ReadLog } from './read-entry.js';

export type { PersonId } from './person-id.js';

/**
 * The vault: what is no event and cannot be folded again, which no rebuild or deletion of views touches.
 * Keys of personal data, look-ups from a keyed hash to persons, candidates' audio, who read an evaluation, the server's
 * wrapped secrets.
 */

/** A 32-byte AES-256-GCM key, or the tombstone that an erasure left. */
export type PersonKey = { readonly kind: 'key'; readonly key: Buffer } | { readonly kind: 'erased' };

/** A keyed hash (HMAC-SHA-256 under a server secret), lower-case hex: what a look-up goes by, never the text itself. */
export type KeyedHash = string & { readonly __brand: 'KeyedHash' };

/** A person as a look-up names it: enough to find its stream. */
export interface PersonRef {
  readonly person: PersonId;
  readonly kind: 'member' | 'candidate';
  readonly organisationId: string;
}

export interface Vault {
  readonly keys: {
    /** Makes the person's key if there is none and returns the stored one; durable when it resolves. */
    create(person: PersonId): Promise<PersonKey>;
    /** `null`: there is no key and no tombstone, which is a fault, not an erasure. At most 1 s behind an erasure. */
    get(person: PersonId): Promise<PersonKey | null>;
    /** As `get`, where that can be told without waiting; `undefined`: ask `get`. Bulk folds live on it. */
    peek?(person: PersonId): PersonKey | null | undefined;
    /** Destroys the key for good and leaves a tombstone; the person's audio goes with it. Again: the same. */
    erase(person: PersonId): Promise<void>;
  };

  /** From (organisation, e-mail) to its one person. */
  readonly identities: {
    get(hash: KeyedHash): Promise<PersonId | null>;
    /**
     * Compare-and-set from `expected` (`null`: none) to `person`; durable. False if anything else than `expected` is
     * stored (`person` itself included), and for an erased person, who gets no entries any more.
     */
    swap(hash: KeyedHash, expected: PersonId | null, person: PersonId): Promise<boolean>;
  };

  /** From an e-mail or a subject to every person, of any organisation, that carries it. Hints: the log decides. */
  readonly carriers: {
    list(hash: KeyedHash): Promise<readonly PersonRef[]>;
    /** Adds the person; again does nothing, nor for an erased one. Durable. Goes with the person's key. */
    add(hash: KeyedHash, person: PersonRef): Promise<void>;
  };

  /**
   * From the keyed hash of a command's id to the person that the command was first sent for. A hash of an id says
   * nothing of a person, and an entry outlives the person's erasure: the command sent again finds its first answer.
   */
  readonly claims: {
    /** Inserts the person if absent; returns the stored one. Durable. */
    claim(hash: KeyedHash, person: PersonId): Promise<PersonId>;
    /** Compare-and-set from one person to another; durable. False if the stored one is not `from`, or there is none. */
    move(hash: KeyedHash, from: PersonId, to: PersonId): Promise<boolean>;
  };

  readonly audio: AudioStore;

  readonly reads: ReadLog;

  /** The server's own secrets, made once with `make` and kept wrapped; the same for every process. */
  secret(name: string, make: () => Buffer): Promise<Buffer>;

  close(): Promise<void>;
}
