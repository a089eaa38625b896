import { MongoServerError, type Collection, type Db } from 'mongodb';
import type { GenerationName } from '../port.js';
import { assertGenerationName } from '../names.js';
import type { StoredRecord } from './record.js';
import type { Session } from './session.js';

/** What a generation's collection is called before its own name: no view can be named like a collection of MongoDB's. */
const PREFIX = 'view.';
const NAMESPACE_NOT_FOUND = 26;

/** The collections that generations keep their documents in. */
export class Generations {
  /** Collections that have their indexes, or are getting them. */
  readonly #made = new Map<string, Promise<void>>();

  constructor(private readonly session: Session) {}

  records(db: Db, name: GenerationName): Collection<StoredRecord> {
    return db.collection<StoredRecord>(PREFIX + name);
  }

  /** Makes the collection's indexes, before its first write: so no page is ever read without. */
  async make(db: Db, name: GenerationName, indexes: readonly string[]): Promise<void> {
    if (indexes.length === 0) return;
    const key = [name, ...indexes].join('/');
    const made = this.#made.get(key) ?? this.#createIndexes(db, name, indexes);
    this.#made.set(key, made);
    try {
      await made;
    } catch (error) {
      this.#made.delete(key);
      throw error;
    }
  }

  /** Names of those that have documents. */
  async withDocuments(): Promise<GenerationName[]> {
    const names = await this.session.longCall(async (db) => {
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      return collections.map(({ name }) => name).filter(isGeneration);
    });
    const filled = await Promise.all(
      names.map((name) =>
        this.session.call((db) => db.collection(name).findOne({}, { projection: { _id: 1 } })),
      ),
    );
    return names
      .filter((_, i) => filled[i] !== null)
      .map((name) => name.slice(PREFIX.length) as GenerationName);
  }

  async drop(name: GenerationName): Promise<void> {
    for (const key of this.#made.keys()) if (key.split('/')[0] === name) this.#made.delete(key);
    await this.session.longCall(async (db) => {
      try {
        await this.records(db, name).drop();
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    });
  }

  async #createIndexes(db: Db, name: GenerationName, indexes: readonly string[]): Promise<void> {
    // Sparse, so that what has no entry, as a removed document, is outside.
    await this.records(db, name).createIndexes(
      indexes.map((index) => ({ key: { [`keys.${index}`]: 1 }, name: index, sparse: true })),
    );
  }
}

/** Newer servers drop what is not there without a word, older ones say so, some of them without the code. */
const isMissing = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === NAMESPACE_NOT_FOUND || error.message.includes('ns not found'));

function isGeneration(collection: string): boolean {
  if (!collection.startsWith(PREFIX)) return false;
  try {
    assertGenerationName(collection.slice(PREFIX.length));
    return true;
  } catch {
    return false;
  }
}
