import type { Collection, Db } from 'mongodb';
import { StoreUnusable } from '../../../core/errors.js';
import { GenerationUnusable } from '../../errors.js';
import type { GenerationName } from '../../read-store.js';
import { type DeclaredIndexes, isGenerationName } from '../../rules.js';
import { isMissingCollection, makeMissingIndexes } from '../collections.js';
import type { Session } from '../session.js';
import { fieldsOf } from './listing.js';
import type { StoredRecord } from './record.js';

/** Prefix of the names of generations' collections: no view can then be named like a collection of MongoDB's own. */
const PREFIX = 'view.';

/** The collections of the generations' documents. */
export class Generations {
  /** Creations of indexes, by the names of generation and indexes: each resolves once they exist. */
  readonly #indexed = new Map<string, Promise<void>>();

  constructor(private readonly session: Session) {}

  records(db: Db, name: GenerationName): Collection<StoredRecord> {
    return db.collection<StoredRecord>(PREFIX + name);
  }

  /**
   * Creates the collection's missing indexes, once for each process. Called before its first write, and by `prepare`
   * before its first read: no page is read without its index.
   * @throws {GenerationUnusable} an unusable index has the same name or fields: the message names it
   */
  async createIndexes(db: Db, name: GenerationName, indexes: DeclaredIndexes): Promise<void> {
    if (indexes.size === 0) return;
    const key = [name, ...indexes.keys()].join('/');
    const created = this.#indexed.get(key) ?? this.#create(db, name, indexes);
    this.#indexed.set(key, created);
    try {
      await created;
    } catch (error) {
      this.#indexed.delete(key);
      throw error;
    }
  }

  /** Names of the generations that have at least one document. */
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
    for (const key of this.#indexed.keys()) if (key.split('/')[0] === name) this.#indexed.delete(key);
    await this.session.longCall(async (db) => {
      try {
        await this.records(db, name).drop();
      } catch (error) {
        // Newer servers answer "dropped" for a missing collection.
        if (!isMissingCollection(error)) throw error;
      }
    });
  }

  async #create(db: Db, name: GenerationName, indexes: DeclaredIndexes): Promise<void> {
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
