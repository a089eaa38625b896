import { type MaybePromise, whenThere } from './concurrency.js';
import { decrypt, encrypt } from './gcm.js';
import { BrokenSeal, MissingKey, type PersonId, type PersonKey, type PersonKeys } from './vault/port.js';

/** The first byte of a sealed text: the format of the rest. */
const FORMAT = 1;

/**
 * Seals texts under their person's key: base64 of a format byte (1) and AES-256-GCM's nonce, ciphertext and tag, with
 * the person's id as additional authenticated data, so that a text sealed for one person cannot be used as another's.
 *
 * Keys are made together with the person (`vault.keys.create`), never here: a key made to replace a lost one would hide
 * the loss. `seal` and `open` return no promise if the vault has the key cached.
 */
export class Sealer {
  constructor(private readonly vault: { readonly keys: PersonKeys }) {}

  /**
   * @returns `null`: the person was erased, so there is nothing left to seal with
   * @throws {MissingKey} neither key nor tombstone
   * @throws {VaultUnavailable} the key is not cached and cannot be read now
   */
  seal(person: PersonId, plaintext: Buffer | string): MaybePromise<string | null> {
    return whenThere(this.keyOf(person), (key) => sealWith(key, person, plaintext));
  }

  /**
   * @returns `erased`: the person was erased, and the text can no longer be read
   * @throws {MissingKey} neither key nor tombstone
   * @throws {BrokenSeal} not what was sealed for this person
   * @throws {VaultUnavailable} as `seal`
   */
  open(person: PersonId, sealed: string): MaybePromise<Buffer | 'erased'> {
    return whenThere(this.keyOf(person), (key) => openWith(key, person, sealed));
  }

  /** Whether the person's key is cached, so that `open` needs no promise. */
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
  // Node ignores characters that are not base64: compare with the canonical form.
  if (bytes[0] !== FORMAT || bytes.toString('base64') !== sealed) throw new BrokenSeal(person);
  const plaintext = decrypt(key.key, bytes.subarray(1), Buffer.from(person));
  if (plaintext === null) throw new BrokenSeal(person);
  return plaintext;
}
