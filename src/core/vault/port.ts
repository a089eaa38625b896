/** A person whose data has a key of its own. Random: it reveals nothing about the person. */
export type PersonId = string & { readonly __brand: 'PersonId' };

const PERSON_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Refuses an id that could be read as a path or as part of a query. @throws {RangeError} */
export function assertPersonId(person: PersonId): void {
  if (!PERSON_ID.test(person))
    throw new RangeError('A person id has 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
}

/** A 32-byte AES-256-GCM key, or the tombstone that an erasure left. */
export type PersonKey = { readonly kind: 'key'; readonly key: Buffer } | { readonly kind: 'erased' };

/** The keys of persons. An erased key stays so. */
export interface PersonKeys {
  /** Makes the person's key if there is none and returns the stored one; durable when it resolves. */
  create(person: PersonId): Promise<PersonKey>;
  /**
   * At most 1 s behind an erasure.
   * @returns `null`: there is no key and no tombstone, which is a fault, not an erasure
   * @throws {VaultUnavailable}
   */
  get(person: PersonId): Promise<PersonKey | null>;
  /**
   * The cached result of `get`, without a promise: this makes bulk folds fast. `undefined`, or a vault without this
   * method: it is not cached, call `get`.
   */
  peek?(person: PersonId): PersonKey | null | undefined;
  /** Destroys the key for good and leaves a tombstone; the person's audio and files go with it. Idempotent. */
  erase(person: PersonId): Promise<void>;
}

/**
 * The vault has neither a key nor a tombstone of the person: a fault, never an erasure. A fold stops on it: a document
 * folded without the key would show the person as erased.
 */
export class MissingKey extends Error {
  readonly code = 'missing_key';
  override readonly name = 'MissingKey';
  constructor(readonly person: PersonId) {
    super(
      `The vault holds neither a key nor a tombstone for person ${person}: restore the vault from its backup.`,
    );
  }
}

/** Nothing can be sealed any more for a person who was erased. */
export class PersonErased extends Error {
  readonly code = 'erased';
  override readonly name = 'PersonErased';
  constructor(readonly person: PersonId) {
    super(`Person ${person} was erased: nothing can be stored about them any more.`);
  }
}

/** A sealed text that its person's key does not open: changed, cut off or another person's. */
export class BrokenSeal extends Error {
  readonly code = 'broken_seal';
  override readonly name = 'BrokenSeal';
  constructor(readonly person: PersonId) {
    super(
      `What is sealed for person ${person} cannot be opened with their key: it was changed in the store, or is not theirs.`,
    );
  }
}
