import { Binary, type Collection, type Document, MongoBulkWriteError } from 'mongodb';
import type { KeyedHash } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import { DUPLICATE, inserted } from '../../stores/mongodb/collections.js';
import type { Session } from '../../stores/mongodb/session.js';
import type { Table, TableEntry, TableKey, Tables } from '../driver.js';
import type { PersonRef, ReadEntry, ShortLived, SweepCursor } from '../port.js';
import { bytesOf, type Collections, pages, type Tombstones, type WrappedDocument } from './collections.js';

/** How a table's values are stored. */
interface Form<V, D extends Stored> {
  readonly fields: (value: V, key: TableKey) => Omit<D, '_id'>;
  readonly value: (document: D) => V;
  /** Fields that are stored for an index alone: an entry is compared without them. */
  readonly indexedFields?: (value: V) => Readonly<Record<string, unknown>>;
  /** The person whose erasure removes the entry. Default: erasures leave it. */
  readonly ownerOf?: (value: V) => PersonId;
}

interface Stored {
  readonly _id: string;
}

/**
 * Entries of a collection. The `_id` is the key's parts with spaces between them, so that entries sort by their parts:
 * a space sorts before every character of a part. No transaction spans an entry and a tombstone. So each write checks
 * the tombstone again afterwards: if an erasure began meanwhile, either it has removed the entry, or this check finds
 * its tombstone and undoes the write.
 */
export class MongoTable<V, D extends Stored> implements Table<V> {
  private readonly documents: Collection<Stored & Document>;

  constructor(
    private readonly session: Session,
    collection: Collection<D>,
    private readonly tombstones: Tombstones,
    private readonly form: Form<V, D>,
  ) {
    this.documents = collection as unknown as Collection<Stored & Document>;
  }

  async get(key: TableKey): Promise<V | null> {
    const found = await this.documents.findOne({ _id: documentIdOf(key) });
    return found && !(await this.isStale(found)) ? this.valueOf(found) : null;
  }

  async list(prefix: TableKey): Promise<readonly V[]> {
    const found = await this.documents
      .find({ _id: within(prefix) })
      .sort({ _id: 1 })
      .toArray();
    const values = found.map((document) => this.valueOf(document));
    const { ownerOf } = this.form;
    if (!ownerOf) return values;
    const erased = await this.tombstones.among(values.map(ownerOf));
    return values.filter((value) => !erased.has(ownerOf(value)));
  }

  async last(prefix: TableKey, limit: number, before: TableKey | null): Promise<readonly V[]> {
    const range = { ...within(prefix), ...(before && { $lt: documentIdOf(before) }) };
    const found = await this.documents.find({ _id: range }).sort({ _id: -1 }).limit(limit).toArray();
    return found.map((document) => this.valueOf(document));
  }

  async insert(key: TableKey, value: V): Promise<'inserted' | 'taken' | 'erased'> {
    const document = this.documentOf(key, value);
    const { ownerOf } = this.form;
    if (!ownerOf) return (await this.move(null, document)) ? 'inserted' : 'taken';
    for (;;) {
      const [former, isErased] = await Promise.all([
        this.documents.findOne({ _id: document._id }),
        this.tombstones.has(ownerOf(value)),
      ]);
      if (isErased) return 'erased';
      if (former && !(await this.isStale(former))) return 'taken';
      if (await this.move(former, document))
        return (await this.isKept(document, null, ownerOf(value))) ? 'inserted' : 'erased';
    }
  }

  /** For tables without owners only: it does not check whether a person was erased. */
  async insertMany(entries: readonly TableEntry<V>[]): Promise<void> {
    try {
      const documents = entries.map(({ key, value }) => this.documentOf(key, value));
      await this.documents.insertMany(documents, { ordered: false });
    } catch (error) {
      if (!areAllThere(error, entries.length)) throw error;
    }
  }

  async replace(key: TableKey, expected: V, value: V): Promise<boolean> {
    const [former, document] = [this.documentOf(key, expected), this.documentOf(key, value)];
    const { ownerOf } = this.form;
    if (!ownerOf) return this.move(former, document);
    const erased = await this.tombstones.among([ownerOf(value), ownerOf(expected)]);
    if (erased.size > 0 || !(await this.move(former, document))) return false;
    return this.isKept(document, former, ownerOf(value));
  }

  async remove(key: TableKey, expected: V): Promise<boolean> {
    return (await this.documents.deleteOne(this.documentOf(key, expected))).deletedCount === 1;
  }

  async *scan(): AsyncGenerator<readonly TableEntry<V>[], void, undefined> {
    for await (const page of pages(this.session, this.documents))
      yield page.map((document) => ({ key: document._id.split(' '), value: this.valueOf(document) }));
  }

  /**
   * Stores `to` if the stored entry is exactly `from` (`null`: there is none). A missing entry is inserted, not
   * upserted: only an insert is one step on every server, while upserts of one missing document may refuse each other.
   * @returns false if another entry is stored now
   */
  private async move(from: Stored | null, to: Stored): Promise<boolean> {
    const whole = { ...to, ...this.form.indexedFields?.(this.valueOf(to)) };
    if (!from) return inserted(this.documents.insertOne(whole));
    const fields = Object.fromEntries(Object.entries(whole).filter(([field]) => field !== '_id'));
    return (await this.documents.updateOne(from, { $set: fields })).matchedCount === 1;
  }

  /**
   * Whether the write is kept: it is undone if the owner was erased meanwhile.
   * @param former restored then; `null`: none
   */
  private async isKept(document: Stored, former: Stored | null, owner: PersonId): Promise<boolean> {
    if (!(await this.tombstones.has(owner))) return true;
    if (former) await this.move(document, former);
    else await this.documents.deleteOne(document);
    return false;
  }

  /** Whether the entry belongs to an erased person, and counts as absent. */
  private async isStale(document: Stored): Promise<boolean> {
    const { ownerOf } = this.form;
    return ownerOf !== undefined && this.tombstones.has(ownerOf(this.valueOf(document)));
  }

  private documentOf(key: TableKey, value: V): Stored {
    return { _id: documentIdOf(key), ...this.form.fields(value, key) };
  }

  private valueOf(document: Stored): V {
    return this.form.value(document as D);
  }
}

const documentIdOf = (key: TableKey): string => key.join(' ');

const within = (prefix: TableKey) => ({ $gt: `${documentIdOf(prefix)} `, $lt: `${documentIdOf(prefix)}!` });

/**
 * Whether each entry is stored, by this call or one before it. The driver throws the same error for every failure, even
 * for an unreachable server: all entries are stored only if inserted entries and duplicates add up to all of them.
 */
const areAllThere = (error: unknown, entries: number): boolean => {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return false;
  const refused = [error.writeErrors].flat();
  const taken = refused.filter(({ code }) => code === DUPLICATE);
  return taken.length === refused.length && error.insertedCount + taken.length === entries;
};

/** The form of a wrapped key or secret, under its person's id or its name. */
export const WRAPPED = {
  fields: (wrapped: Buffer) => ({ wrapped: new Binary(wrapped) }),
  value: ({ wrapped }: WrappedDocument) => bytesOf(wrapped),
};

/** The vault's tables on these collections. @param tombstones refuse entries of erased persons */
export function tablesOn(session: Session, collections: Collections, tombstones: Tombstones): Tables {
  const table = <V, D extends Stored>(collection: Collection<D>, form: Form<V, D>): Table<V> =>
    new MongoTable(session, collection, tombstones, form);
  const person = {
    fields: (person: PersonId) => ({ person }),
    value: ({ person }: { readonly person: PersonId }) => person,
  };
  return {
    identities: table(collections.identities, { ...person, ownerOf: (person) => person }),
    carriers: table(collections.carriers, {
      fields: ({ person, kind, organisationId }: PersonRef, [hash]) => ({
        hash: hash as KeyedHash,
        person,
        kind,
        organisationId,
      }),
      value: ({ person, kind, organisationId }) => ({ person, kind, organisationId }),
      ownerOf: ({ person }) => person,
    }),
    claims: table(collections.claims, person),
    reads: table(collections.reads, {
      fields: ({ id, evaluationId, organisationId, actor, at }: ReadEntry) => ({
        id,
        evaluationId,
        organisationId,
        actor: { ...actor },
        at,
      }),
      value: ({ id, evaluationId, organisationId, actor, at }) => ({
        id,
        evaluationId,
        organisationId,
        actor: { type: actor.type, id: actor.id },
        at,
      }),
    }),
    secrets: table(collections.secrets, WRAPPED),
    shortLived: table(collections.shortLived, {
      fields: ({ sealed, expiresAt }: ShortLived) => ({ sealed, expiresAt }),
      value: ({ sealed, expiresAt }) => ({ sealed, expiresAt }),
      indexedFields: ({ expiresAt }) => ({ expires: new Date(expiresAt) }),
    }),
    removeExpired: async (now) => {
      const { deletedCount } = await collections.shortLived.deleteMany({
        // Each condition uses the index on `expires`; entries of former builds lack the field.
        $or: [
          { expires: { $lte: new Date(now) } },
          { expires: { $exists: false }, expiresAt: { $lte: now } },
        ],
      });
      return deletedCount;
    },
    sweeps: table(collections.sweeps, {
      fields: ({ after, at }: SweepCursor) => ({ after, at }),
      value: ({ after, at }) => ({ after, at }),
    }),
  };
}
