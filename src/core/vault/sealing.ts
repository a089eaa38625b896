import { BrokenSeal, MissingKey, type PersonId, type PersonKey, type PersonKeys } from './port.js';
import { decrypt, encrypt } from './gcm.js';

/** A value, or a promise of it where it has to be waited for: bulk folds would otherwise be spent on promises. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there. */
export const whenThere = <T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** First byte of what is sealed: how the rest is to be read. */
const FORMAT = 1;

/**
 * Seals texts under their person's key: base64 of a format byte (1) and AES-256-GCM's nonce, ciphertext and tag, with
 * the person's id as additional authenticated data, so that nothing sealed for one person passes for another's.
 *
 * Keys are made together with the person (`vault.keys.create`), never here: a key made to replace a lost one
 * would hide the loss. Both ways answer without a promise if the vault can tell the key at once.
 */
export class Sealer {
  constructor(private readonly vault: { readonly keys: PersonKeys }) {}

  /**
   * @returns `null`: the person was erased, so there is nothing left to seal with
   * @throws {MissingKey} neither key nor tombstone
   */
  seal(person: PersonId, plaintext: Buffer | string): MaybePromise<string | null> {
    return whenThere(this.keyOf(person), (key) => sealWith(key, person, plaintext));
  }

  /**
   * @throws {MissingKey} neither key nor tombstone
   * @throws {BrokenSeal} not what was sealed for this person
   */
  open(person: PersonId, sealed: string): MaybePromise<Buffer | 'erased'> {
    return whenThere(this.keyOf(person), (key) => openWith(key, person, sealed));
  }

  /** Whether the person's key is at hand, to open with. */
  hasKey(person: PersonId | null): boolean {
    return person !== null && this.vault.keys.peek?.(person)?.kind === 'key';
  }

  private keyOf(person: PersonId): MaybePromise<PersonKey | null> {
    const known = this.vault.keys.peek?.(person);
    return known === undefined ? this.vault.keys.get(person) : known;
  }
}

function sealWith(key: PersonKey | null, person: PersonId, plaintext: Buffer | string): string | null {
  if (key === null) throw new MissingKey(person);
  if (key.kind === 'erased') return null;
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext;
  const sealed = encrypt(key.key, bytes, Buffer.from(person));
  return Buffer.concat([Buffer.of(FORMAT), sealed]).toString('base64');
}

function openWith(key: PersonKey | null, person: PersonId, sealed: string): Buffer | 'erased' {
  if (key === null) throw new MissingKey(person);
  if (key.kind === 'erased') return 'erased';
  const bytes = Buffer.from(sealed, 'base64');
  // Node reads past what is no base64; what was sealed reads back letter by letter.
  if (bytes[0] !== FORMAT || bytes.toString('base64') !== sealed) throw new BrokenSeal(person);
  const plaintext = decrypt(key.key, bytes.subarray(1), Buffer.from(person));
  if (plaintext === null) throw new BrokenSeal(person);
  return plaintext;
}
