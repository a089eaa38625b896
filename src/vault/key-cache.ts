import { performance } from 'node:perf_hooks';
import type { PersonId, PersonKey } from '../core/vault/port.js';

/**
 * How long a key stays cached, in milliseconds. No process may use a key later than 1 s after its erasure; the rest of
 * the second is left for the use itself.
 */
export const CACHE_TTL_MS = 750;
/** Keys that are cached at once. */
const MAX_KEYS = 50_000;

interface CachedKey {
  readonly key: PersonKey;
  readonly readAt: number;
}

/**
 * Keys kept in memory for less than a second, counted from before they were read. An expired key is not only refused
 * but removed, so that an erased key does not stay in an idle process's memory.
 */
export class KeyCache {
  /** Cached keys in the order of their reading, the oldest first. */
  private readonly kept = new Map<PersonId, CachedKey>();
  private sweep: NodeJS.Timeout | null = null;

  /** @param clock monotonic milliseconds of this process */
  constructor(readonly clock: () => number = () => performance.now()) {}

  /** The cached key; `undefined`: none, or it has expired. Read the store then. */
  get(person: PersonId): PersonKey | undefined {
    const kept = this.kept.get(person);
    return kept && this.clock() - kept.readAt < CACHE_TTL_MS ? kept.key : undefined;
  }

  /**
   * Reads a key past the cache, and caches it with the time before the read.
   * @param read reads the store
   * @returns the result of `read`; `null`, neither key nor tombstone, is not cached
   */
  load(person: PersonId, read: () => PersonKey | null): PersonKey | null {
    const readAt = this.clock();
    const key = read();
    this.kept.delete(person);
    if (key) this.keep(person, key, readAt);
    return key;
  }

  /** Caches a key. @param readAt the moment before the store was read; a key that was read later is not replaced */
  keep(person: PersonId, key: PersonKey, readAt: number): void {
    const known = this.kept.get(person);
    if (known && known.readAt > readAt) return;
    this.kept.delete(person);
    this.kept.set(person, { key, readAt });
    if (this.kept.size > MAX_KEYS) this.forgetOldest();
    this.sweep ??= setTimeout(() => this.forgetExpired(), CACHE_TTL_MS).unref();
  }

  /** Removes a person's key, so that the next `get` finds none. */
  forget(person: PersonId): void {
    this.kept.delete(person);
  }

  /** Forgets every key. */
  clear(): void {
    if (this.sweep) clearTimeout(this.sweep);
    this.sweep = null;
    this.kept.clear();
  }

  private forgetOldest(): void {
    for (const person of this.kept.keys()) {
      this.kept.delete(person);
      return;
    }
  }

  private forgetExpired(): void {
    const now = this.clock();
    for (const [person, { readAt }] of this.kept) {
      if (now - readAt < CACHE_TTL_MS) break;
      this.kept.delete(person);
    }
    this.sweep = this.kept.size > 0 ? setTimeout(() => this.forgetExpired(), CACHE_TTL_MS).unref() : null;
  }
}
