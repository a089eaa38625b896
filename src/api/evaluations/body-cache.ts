import { LRUCache } from 'lru-cache';
import { decrypt, encrypt } from '../../core/gcm.js';
import type { PersonKey } from '../../core/vault/port.js';
import type { AnyView } from '../../engine/view.js';

/** A key that was not erased. */
type Key = Extract<PersonKey, { readonly kind: 'key' }>;

/** Documents that a body was made of: their stamps by id, `null` if there was none. */
export interface Source {
  readonly view: AnyView;
  readonly stamps: ReadonlyMap<string, string | null>;
}

/** A sealed body, and the documents that it was made of. */
export interface CachedBody {
  readonly sealed: Buffer;
  readonly sources: readonly Source[];
}

/** Size of all cached bodies together. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Largest cached body: a larger one would displace many others. */
export const MAX_CACHED_BYTES = 2 * 1024 * 1024;

/**
 * Bodies with a person's data, sealed under the person's key: after an erasure they cannot be opened. An opened body is
 * cached by the key object that opened it. The vault drops that object after less than a second, used or not, and the
 * opened body is released with it.
 */
export class BodyCache {
  readonly #bodies = new LRUCache<string, CachedBody>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ sealed }) => sealed.byteLength,
  });
  readonly #opened = new WeakMap<Key, WeakMap<CachedBody, Buffer>>();

  /** The sealed body of that name, which `open` makes readable; `undefined`: none is cached. */
  get(name: string): CachedBody | undefined {
    return this.#bodies.get(name);
  }

  /** @returns `null`: it is of another key, or was not stored under this name */
  open(name: string, cached: CachedBody, key: Key): Buffer | null {
    const known = this.#opened.get(key)?.get(cached);
    if (known) return known;
    const body = decrypt(key.key, cached.sealed, Buffer.from(name));
    if (body) this.#remember(cached, key, body);
    return body;
  }

  /** Replaces the body of that name. Does nothing with a body of more than `MAX_CACHED_BYTES`. */
  set(name: string, key: Key, body: Buffer, sources: readonly Source[]): void {
    if (body.byteLength > MAX_CACHED_BYTES) return;
    const cached = { sealed: encrypt(key.key, body, Buffer.from(name)), sources };
    this.#bodies.set(name, cached);
    this.#remember(cached, key, body);
  }

  #remember(cached: CachedBody, key: Key, body: Buffer): void {
    const bodies = this.#opened.get(key) ?? new WeakMap<CachedBody, Buffer>();
    this.#opened.set(key, bodies.set(cached, body));
  }
}
