import { createHmac, randomBytes } from 'node:crypto';
import { formerEmailForms, normaliseEmail } from './email-address.js';

/**
 * A keyed hash (HMAC-SHA-256 under a server secret), lower-case hex: the key of a look-up, in place of the text itself.
 */
export type KeyedHash = string & { readonly __brand: 'KeyedHash' };

/** The server's own secrets. */
export interface Secrets {
  /**
   * The secret of that name, the same for every process; kept wrapped. If there is none yet, `make` makes one; if
   * another process has stored one meanwhile, that one is returned.
   */
  secret(name: string, make: () => Buffer): Promise<Buffer>;
}

const SECRET_NAME = 'keyed-hash';
const SECRET_BYTES = 32;

/**
 * HMAC-SHA-256 under one of the server's own secrets: used in look-ups, ids and metadata in place of texts that would
 * identify a person. Stored results live as long as the data, so the byte layout cannot change.
 */
export class KeyedHasher {
  /** @param secret 32 bytes */
  constructor(private readonly secret: Buffer) {
    if (secret.length !== SECRET_BYTES)
      throw new RangeError(`A keyed hash needs a secret of ${SECRET_BYTES} bytes.`);
  }

  /** The hasher of this vault: the same for every process, made at the first call. */
  static async of(vault: Secrets): Promise<KeyedHasher> {
    return new KeyedHasher(await vault.secret(SECRET_NAME, () => randomBytes(SECRET_BYTES)));
  }

  /** Key of the one person that an e-mail address names within a scope. */
  identityHash(scope: string, email: string): KeyedHash {
    return this.hmac('identity', scope, normaliseEmail(email));
  }

  /** Key of an e-mail address, the same in every scope. */
  emailHash(email: string): KeyedHash {
    return this.hmac('email', normaliseEmail(email));
  }

  /** The hashes under which former releases stored the person: try them if `identityHash` finds none. */
  formerIdentityHashes(scope: string, email: string): readonly KeyedHash[] {
    return formerEmailForms(email).map((form) => this.hmac('identity', scope, form));
  }

  /** `emailHash`, and those of former releases. */
  emailHashes(email: string): readonly KeyedHash[] {
    return [this.emailHash(email), ...formerEmailForms(email).map((form) => this.hmac('email', form))];
  }

  /** Subjects are compared exactly. */
  subjectHash(subject: string): KeyedHash {
    return this.hmac('subject', subject);
  }

  /** Lower-case hex. Different purposes or lists of parts never hash the same bytes. */
  hmac(purpose: string, ...parts: readonly string[]): KeyedHash {
    return this.digest('hash', purpose, parts).toString('hex') as KeyedHash;
  }

  /** A UUID v8 (RFC 9562) derived from the parts. It reveals nothing of an `hmac` of the same parts. */
  uuidV8(purpose: string, ...parts: readonly string[]): string {
    const bytes = this.digest('uuid', purpose, parts).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  /** Every part as its length in bytes (4, big-endian) and UTF-16LE: UTF-8 would make all lone surrogates one. */
  private digest(use: 'hash' | 'uuid', purpose: string, parts: readonly string[]): Buffer {
    const all = [use, purpose, ...parts];
    const bytes = Buffer.allocUnsafe(all.reduce((size, part) => size + 4 + 2 * part.length, 0));
    let end = 0;
    for (const part of all) {
      end = bytes.writeUInt32BE(2 * part.length, end);
      end += bytes.write(part, end, 'utf16le');
    }
    return createHmac('sha256', this.secret).update(bytes).digest();
  }
}
