import { type PersonId, type PersonKey, VaultUnavailable } from '../../core/vault/port.js';
import { KEPT_MS, type KeyCache } from '../key-cache.js';
import { type Calls, DEADLINE_MS } from './calls.js';
import type { StoredKeys } from './stored-keys.js';

/** Keys asked for in one query, and queries at once: a key's age counts from when its own query is sent. */
const MOST = 250;
const AT_ONCE = 4;

interface Reading {
  readonly key: PersonKey | null;
  /** The moment before MongoDB was asked. */
  readonly readAt: number;
}

interface Asker {
  readonly resolve: (reading: Reading) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads keys: those asked for in one turn of the event loop, or while earlier ones are read, in one query; and the
 * same one once at a time.
 */
export class KeyReader {
  private readonly readings = new Map<PersonId, Promise<Reading>>();
  /** In the order of their asking. */
  private readonly askers = new Map<PersonId, Asker>();
  private running = 0;

  constructor(
    private readonly calls: Calls,
    private readonly stored: StoredKeys,
    private readonly cache: KeyCache,
  ) {}

  get(person: PersonId): Promise<PersonKey | null> {
    const askedAt = this.cache.clock();
    return this.calls.run(async () => {
      do {
        const { key, readAt } = await this.reading(person);
        if (this.isOf(askedAt, key, readAt)) return key;
      } while (this.cache.clock() - askedAt < DEADLINE_MS);
      throw new VaultUnavailable('The vault answers too slowly for its keys to be used: try again.');
    });
  }

  /** A key that may have been erased long ago is not used, and one made before we asked is not missing. */
  private isOf(askedAt: number, key: PersonKey | null, readAt: number): boolean {
    if (key === null) return readAt >= askedAt;
    return key.kind === 'erased' || this.cache.clock() - readAt < KEPT_MS;
  }

  private reading(person: PersonId): Promise<Reading> {
    const running = this.readings.get(person);
    if (running) return running;
    if (this.askers.size === 0) setImmediate(() => this.askNext());
    const reading = new Promise<Reading>((resolve, reject) => this.askers.set(person, { resolve, reject }));
    // Whoever asked may have given up by then.
    reading.catch(() => undefined);
    this.readings.set(person, reading);
    return reading;
  }

  private askNext(): void {
    while (this.running < AT_ONCE && this.askers.size > 0) {
      const batch = new Map<PersonId, Asker>();
      for (const [person, asker] of this.askers) {
        if (batch.size === MOST) break;
        batch.set(person, asker);
        this.askers.delete(person);
      }
      this.running++;
      void this.ask(batch).finally(() => {
        this.running--;
        this.askNext();
      });
    }
  }

  private async ask(askers: ReadonlyMap<PersonId, Asker>): Promise<void> {
    const readAt = this.cache.clock();
    try {
      const found = await this.calls.run(() => this.stored.read([...askers.keys()]));
      for (const [person, asker] of askers) {
        this.readings.delete(person);
        try {
          const key = this.stored.open(person, found.get(person) ?? null);
          if (key) this.cache.keep(person, key, readAt);
          asker.resolve({ key, readAt });
        } catch (error) {
          asker.reject(error);
        }
      }
    } catch (error) {
      for (const [person, asker] of askers) {
        this.readings.delete(person);
        asker.reject(error);
      }
    }
  }
}
