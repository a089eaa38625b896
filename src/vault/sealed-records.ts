import { VaultUnavailable } from '../core/errors.js';
import { decrypt, encrypt } from '../core/gcm.js';
import type { KeyedHash, KeyedHasher } from '../core/keyed-hash.js';
import type { ShortLived, Vault } from './port.js';

/** The result of a change: what `update` stores and returns. */
export interface Change<T, A> {
  readonly answer: A;
  /** Omitted: the record does not change. `null`: it is removed. */
  readonly to?: {
    readonly value: T;
    /** Lifetime in seconds. Default: the former expiry stays. */
    readonly seconds?: number;
  } | null;
}

/** Attempts to change a record that other requests keep changing. */
const ATTEMPTS = 20;

/**
 * Records in the vault that expire. Each is sealed by a key that is derived from its id, and its id is stored as a hash
 * only: without the id, which only the browser or the client has, the server's secrets cannot open it.
 */
export class SealedRecords {
  constructor(
    private readonly vault: Pick<Vault, 'shortLived'>,
    private readonly hasher: KeyedHasher,
    private readonly now: () => number = Date.now,
  ) {}

  /** `null`: there is none, or it has expired. */
  async get<T>(kind: string, id: string): Promise<T | null> {
    return this.open(kind, id, await this.vault.shortLived.get(this.placeOf(kind, id))) as T | null;
  }

  /** Stores a record in place of any former one. @param seconds its lifetime */
  async put(kind: string, id: string, value: unknown, seconds: number): Promise<void> {
    await this.update(kind, id, () => ({ answer: undefined, to: { value, seconds } }));
  }

  /** Removes a record, if there is one. */
  async remove(kind: string, id: string): Promise<void> {
    await this.update(kind, id, () => ({ answer: undefined, to: null }));
  }

  /**
   * Changes a record in one step. `change` gets `null` if there is none, and is called again if another request was
   * first.
   * @returns the `answer` of the change that took effect
   * @throws {VaultUnavailable} other requests were first 20 times
   */
  async update<T, A>(kind: string, id: string, change: (value: T | null) => Change<T, A>): Promise<A> {
    const place = this.placeOf(kind, id);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // An expired record is overwritten.
      const stored = await this.vault.shortLived.get(place);
      const { answer, to } = change(this.open(kind, id, stored) as T | null);
      if (to === undefined) return answer;
      if (await this.vault.shortLived.swap(place, stored, to && this.seal(kind, id, stored, to)))
        return answer;
    }
    throw new VaultUnavailable('A record is changed by too many requests at once: try again.');
  }

  private open(kind: string, id: string, stored: ShortLived | null): unknown {
    if (!stored || stored.expiresAt <= this.now()) return null;
    const sealed = Buffer.from(stored.sealed, 'base64');
    const text = decrypt(this.keyOf(kind, id), sealed, boundTo(stored.expiresAt));
    return text && JSON.parse(text.toString());
  }

  private seal(
    kind: string,
    id: string,
    former: ShortLived | null,
    { value, seconds }: { readonly value: unknown; readonly seconds?: number },
  ): ShortLived {
    const now = this.now();
    const expiresAt = seconds === undefined ? (former?.expiresAt ?? now) : now + seconds * 1_000;
    const text = Buffer.from(JSON.stringify(value));
    const sealed = encrypt(this.keyOf(kind, id), text, boundTo(expiresAt));
    return { sealed: sealed.toString('base64'), expiresAt };
  }

  private placeOf(kind: string, id: string): KeyedHash {
    return this.hasher.hmac('place of a record', kind, id);
  }

  private keyOf(kind: string, id: string): Buffer {
    return Buffer.from(this.hasher.hmac('key of a record', kind, id), 'hex');
  }
}

/** The expiry is authenticated: a record whose expiry was changed in the store does not open. */
const boundTo = (expiresAt: number): Buffer => Buffer.from(String(expiresAt));
