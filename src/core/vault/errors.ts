import type { PersonId } from './port.js';

/** The vault did not answer in time or is away: what was asked of it may or may not have been done. Ask again. */
export class VaultUnavailable extends Error {
  readonly code = 'vault_unavailable';
  override readonly name = 'VaultUnavailable';
}

/**
 * A person's key is neither there nor erased: a fault of the vault, never an erasure. Whoever folds stops on it,
 * since folding over it would publish as erased what is only out of reach.
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

/** A sealed text that its person's key does not open: changed, cut off or somebody else's. */
export class BrokenSeal extends Error {
  readonly code = 'broken_seal';
  override readonly name = 'BrokenSeal';
  constructor(readonly person: PersonId) {
    super(
      `What is sealed for person ${person} cannot be opened with their key: it was changed in the store, or is not theirs.`,
    );
  }
}
