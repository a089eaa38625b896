import DataLoader from 'dataloader';
import { VaultUnavailable } from '../../core/errors.js';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import type { Session } from '../../stores/mongodb/session.js';
import { CACHE_TTL_MS, type KeyCache } from '../key-cache.js';
import type { StoredKey, StoredKeys } from './stored-keys.js';

const MAX_KEYS_PER_QUERY = 250;
/** Further queries wait before they are sent, since the age of a key counts from the time when its query is sent. */
const MAX_CONCURRENT_QUERIES = 4;
/** A read that has no usable answer after this time fails. */
const ANSWER_TIMEOUT_MS = 3_000;

interface Reading {
  readonly key: PersonKey | null;
  /** The time before the query was sent. */
  readonly readAt: number;
}

/**
 * Reads keys into the cache. Calls in one turn of the event loop, or while all queries are under way, share a query;
 * calls for the same person share a read.
 */
export class KeyReader {
  private readonly readings = new Map<PersonId, Promise<Reading>>();
  /** Queries that wait until fewer are running; further keys join the last one. */
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private readonly loader = new DataLoader<PersonId, Reading>((persons) => this.read(persons), {
    cache: false,
    maxBatchSize: MAX_KEYS_PER_QUERY,
    batchScheduleFn: (send) =>
      void setImmediate(() => {
        this.waiting.push(send);
        this.sendNext();
      }),
  });

  constructor(
    private readonly session: Session,
    private readonly stored: StoredKeys,
    private readonly cache: KeyCache,
  ) {}

  /**
   * Reads a key, past the cache; `null`: neither key nor tombstone.
   * @throws {VaultUnavailable} no answer within `ANSWER_TIMEOUT_MS` that is recent enough to be used
   * @throws {StoreUnusable} DATA_KEY does not open it
   */
  get(person: PersonId): Promise<PersonKey | null> {
    const askedAt = this.cache.clock();
    return this.session.call(async () => {
      do {
        const { key, readAt } = await this.reading(person);
        if (this.isUsable(askedAt, key, readAt)) return key;
      } while (this.cache.clock() - askedAt < ANSWER_TIMEOUT_MS);
      throw new VaultUnavailable('The vault answers too slowly for its keys to be used: try again.');
    });
  }

  /**
   * A key that was read too long ago may be erased by now. Callers share reads: a key that a read from before this call
   * did not find may have been made since.
   */
  private isUsable(askedAt: number, key: PersonKey | null, readAt: number): boolean {
    if (key === null) return readAt >= askedAt;
    return key.kind === 'erased' || this.cache.clock() - readAt < CACHE_TTL_MS;
  }

  private reading(person: PersonId): Promise<Reading> {
    const running = this.readings.get(person);
    if (running) return running;
    const reading = this.loader.load(person);
    // The caller may no longer wait: the rejection must not count as unhandled.
    reading.catch(() => undefined);
    this.readings.set(person, reading);
    return reading;
  }

  private sendNext(): void {
    while (this.running < MAX_CONCURRENT_QUERIES && this.waiting.length > 0) {
      this.running++;
      this.waiting.shift()?.();
    }
  }

  private async read(persons: readonly PersonId[]): Promise<readonly (Reading | Error)[]> {
    const readAt = this.cache.clock();
    try {
      const found = await this.session.call(() => this.stored.read(persons));
      return persons.map((person) => this.opened(person, found.get(person) ?? null, readAt));
    } finally {
      for (const person of persons) this.readings.delete(person);
      this.running--;
      this.sendNext();
    }
  }

  private opened(person: PersonId, stored: StoredKey, readAt: number): Reading | Error {
    try {
      const key = this.stored.open(person, stored);
      if (key) this.cache.keep(person, key, readAt);
      return { key, readAt };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
