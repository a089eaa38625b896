import { LRUCache } from 'lru-cache';
import { decrypt, encrypt } from '../../core/vault/gcm.js';
import type { PersonKey } from '../../core/vault/port.js';
import type { AnyView } from '../../engine/view.js';

/** A key that was not erased. */
type Key = Extract<PersonKey, { readonly kind: 'key' }>;

/** Documents that a body was made of: their stamps by id, `null` where there was none. */
export interface Source {
  readonly view: AnyView;
  readonly stamps: ReadonlyMap<string, string | null>;
}

export interface KeptBody {
  readonly sealed: Buffer;
  readonly sources: readonly Source[];
}

/** Of all bodies together. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A larger body would drive out many others. */
export const LARGEST_BYTES = 2 * 1024 * 1024;

/**
 * Bodies with a person's data, sealed under the person's key: after an erasure nothing opens them. A body that was
 * opened is remembered by the very key that opened it. The vault drops that after less than a second, used or not,
 * and the opened body goes with it.
 */
export class KeptBodies {
  readonly #kept = new LRUCache<string, KeptBody>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sealed }) => sealed.byteLength,
  });
  readonly #opened = new WeakMap<Key, WeakMap<KeptBody, Buffer>>();

  get(name: string): KeptBody | undefined {
    return this.#kept.get(name);
  }

  /** @returns `null`: it is of another key, or was not kept under this name */
  open(name: string, kept: KeptBody, key: Key): Buffer | null {
    const known = this.#opened.get(key)?.get(kept);
    if (known) return known;
    const body = decrypt(key.key, kept.sealed, Buffer.from(name));
    if (body) this.#remember(kept, key, body);
    return body;
  }

  /** Does nothing with a body of more than `LARGEST_BYTES`. */
  keep(name: string, key: Key, body: Buffer, sources: readonly Source[]): void {
    if (body.byteLength > LARGEST_BYTES) return;
    const kept = { sealed: encrypt(key.key, body, Buffer.from(name)), sources };
    this.#kept.set(name, kept);
    this.#remember(kept, key, body);
  }

  #remember(kept: KeptBody, key: Key, body: Buffer): void {
    const bodies = this.#opened.get(key) ?? new WeakMap<KeptBody, Buffer>();
    this.#opened.set(key, bodies.set(kept, body));
  }
}
