import type { Collection, Db } from 'mongodb';
import { StoreUnusable } from '../../../core/errors.js';
import { GenerationUnusable } from '../../errors.js';
import { isMissingCollection, makeMissingIndexes } from '../collections.js';
import type { GenerationName } from '../../read-store.js';
import { type DeclaredIndexes, isGenerationName } from '../../limits.js';
import type { Session } from '../session.js';
import { fieldsOf } from './listing.js';
import type { StoredRecord } from './record.js';

/** What a generation's collection is called before its own name: no view can be named like a collection of MongoDB's. */
const PREFIX = 'view.';

/** The collections that generations keep their documents in. */
export class Generations {
  /** Collections that have their indexes, or are getting them. */
  readonly #made = new Map<string, Promise<void>>();

  constructor(private readonly session: Session) {}

  records(db: Db, name: GenerationName): Collection<StoredRecord> {
    return db.collection<StoredRecord>(PREFIX + name);
  }

  /**
   * Makes the collection's indexes, before its first write: so no page is ever read without.
   * @throws {GenerationUnusable} a foreign index is in the way: the sentence names it
   */
  async make(db: Db, name: GenerationName, indexes: DeclaredIndexes): Promise<void> {
    if (indexes.size === 0) return;
    const key = [name, ...indexes.keys()].join('/');
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
        // Newer servers drop what is not there without a word.
        if (!isMissingCollection(error)) throw error;
      }
    });
  }

  async #createIndexes(db: Db, name: GenerationName, indexes: DeclaredIndexes): Promise<void> {
    try {
      await makeMissingIndexes(
        this.records(db, name),
        [...indexes].map(([index, names]) => ({ name: index, fields: [...fieldsOf(names), '_id'] })),
      );
    } catch (error) {
      throw error instanceof StoreUnusable ? new GenerationUnusable(error.message) : error;
    }
  }
}

const isGeneration = (collection: string): boolean =>
  collection.startsWith(PREFIX) && isGenerationName(collection.slice(PREFIX.length));
