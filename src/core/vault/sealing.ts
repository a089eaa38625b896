import {
  BrokenSeal,
  MissingKey,
  PersonErased,
  type PersonId,
  type PersonKey,
  type PersonKeys,
} from './port.js';
import { decrypt, encrypt } from './gcm.js';

/** First byte of what is sealed: how the rest is to be read. */
const FORMAT = 1;

/**
 * Seals texts under their person's key: base64 of a format byte (1) and AES-256-GCM's nonce, ciphertext and tag, with
 * the person's id as additional authenticated data, so that nothing sealed for one person passes for another's.
 *
 * Keys are made together with the person (`vault.keys.create`), never here: a key made to replace a lost one
 * would hide the loss. The `…Now` forms answer without a promise where the vault can tell the key at once, and
 * `undefined` where it cannot; folding a log in bulk would otherwise be spent on promises.
 */
export class Sealer {
  constructor(private readonly vault: { readonly keys: PersonKeys }) {}

  /**
   * @throws {MissingKey} neither key nor tombstone
   * @throws {PersonErased} there is nothing left to seal with
   */
  async seal(person: PersonId, plaintext: Buffer | string): Promise<string> {
    return sealWith(await this.vault.keys.get(person), person, plaintext);
  }

  /**
   * @throws {MissingKey} neither key nor tombstone
   * @throws {BrokenSeal} not what was sealed for this person
   */
  async open(person: PersonId, sealed: string): Promise<Buffer | 'erased'> {
    return openWith(await this.vault.keys.get(person), person, sealed);
  }

  /** As `seal`; `undefined` where the key has to be waited for. */
  sealNow(person: PersonId, plaintext: Buffer | string): string | undefined {
    const key = this.vault.keys.peek?.(person);
    return key === undefined ? undefined : sealWith(key, person, plaintext);
  }

  /** As `open`; `undefined` where the key has to be waited for. */
  openNow(person: PersonId, sealed: string): Buffer | 'erased' | undefined {
    const key = this.vault.keys.peek?.(person);
    return key === undefined ? undefined : openWith(key, person, sealed);
  }

  /** Whether the person's key is at hand, to open with. */
  canOpenNow(person: PersonId | null): boolean {
    return person !== null && this.vault.keys.peek?.(person)?.kind === 'key';
  }

  /** Fetches keys ahead, so that the `…Now` forms find them for as long as keys may be kept in memory (1 s). */
  async warm(persons: Iterable<PersonId>): Promise<void> {
    const unknown = [...new Set(persons)].filter((person) => this.vault.keys.peek?.(person) === undefined);
    await Promise.all(unknown.map((person) => this.vault.keys.get(person)));
  }
}

function sealWith(key: PersonKey | null, person: PersonId, plaintext: Buffer | string): string {
  if (key === null) throw new MissingKey(person);
  if (key.kind === 'erased') throw new PersonErased(person);
  const sealed = encrypt(key.key, toBuffer(plaintext), Buffer.from(person));
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

const toBuffer = (text: Buffer | string): Buffer => (typeof text === 'string' ? Buffer.from(text) : text);
