import { Binary, type Collection, type Db, type Document, MongoServerError } from 'mongodb';
import type { KeyedHash } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import { inserted, makeMissingIndexes } from '../../stores/mongodb/collections.js';
import type { Session } from '../../stores/mongodb/session.js';
import type { Description } from '../data-key.js';
import type { PersonRef, ReadEntry, ShortLived, SweepCursor } from '../port.js';

/** A wrapped key of a person or secret of the server. `_id` is the person's id or the secret's name. */
export interface WrappedDocument {
  readonly _id: string;
  readonly wrapped: Binary;
}

/** An erased person, for good: stronger than any key. `pending` until all other data of the person is removed. */
interface TombstoneDocument {
  readonly _id: PersonId;
  readonly pending?: true;
}

/** A person under a keyed hash: of an address in an organisation, or of the id of the command first sent for them. */
interface HashDocument {
  readonly _id: KeyedHash;
  readonly person: PersonId;
}

/** `_id` is the hash and the person, so that a hash has each person once. */
interface CarrierDocument extends PersonRef {
  readonly _id: string;
  readonly hash: KeyedHash;
}

/** `_id` is evaluation, time and id, so that an evaluation's reads are together and in order. */
interface ReadDocument extends ReadEntry {
  readonly _id: string;
}

/**
 * A chunk of audio or of a file. Its `_id` is person, log and the last frame or byte before it. When a chunk of audio is
 * discarded, `kept` and `sealed` are removed and the document stays, so that no other chunk can take its place.
 */
export interface ChunkDocument {
  readonly _id: string;
  readonly person: PersonId;
  /** The id of the session, or of the file. */
  readonly session: string;
  readonly last: number;
  /** Person, log, part, first and last frame or byte and the seal's length: most reads need only its index. */
  readonly kept?: string;
  readonly sealed?: Binary;
}

/** Its `_id` is the hash under which its writer stores it. */
export interface ShortLivedDocument extends ShortLived {
  readonly _id: string;
  /** `expiresAt` as the server's own index needs it. Missing in entries of former builds. */
  readonly expires?: Date;
}

/** A sweep's cursor; its `_id` is the sweep's name. */
export interface SweepDocument extends SweepCursor {
  readonly _id: string;
}

export interface DescriptionDocument extends Description {
  readonly _id: 'vault';
}

/** Tombstones and keys are in different collections, so that a backup of one can be restored without the other. */
export interface Collections {
  readonly keys: Collection<WrappedDocument>;
  readonly erased: Collection<TombstoneDocument>;
  readonly identities: Collection<HashDocument>;
  readonly carriers: Collection<CarrierDocument>;
  readonly claims: Collection<HashDocument>;
  readonly reads: Collection<ReadDocument>;
  readonly audio: Collection<ChunkDocument>;
  readonly files: Collection<ChunkDocument>;
  readonly secrets: Collection<WrappedDocument>;
  readonly shortLived: Collection<ShortLivedDocument>;
  readonly sweeps: Collection<SweepDocument>;
  readonly description: Collection<DescriptionDocument>;
}

/** The vault’s collections in a database. It makes none of them. */
export const collectionsOf = (db: Db): Collections => ({
  keys: db.collection('vault_keys'),
  erased: db.collection('vault_erased'),
  identities: db.collection('vault_identities'),
  carriers: db.collection('vault_carriers'),
  claims: db.collection('vault_claims'),
  reads: db.collection('vault_reads'),
  audio: db.collection('vault_audio'),
  files: db.collection('vault_files'),
  secrets: db.collection('vault_secrets'),
  shortLived: db.collection('vault_short_lived'),
  sweeps: db.collection('vault_sweeps'),
  description: db.collection('vault'),
});

/** How long the server keeps expired entries. Its clock may be ahead, and must not remove valid ones. */
const EXPIRED_SECONDS = 3_600;

/** Makes an index for every query that is not by `_id`. */
export async function makeIndexes({
  erased,
  identities,
  carriers,
  audio,
  files,
  shortLived,
}: Collections): Promise<void> {
  const by = (field: string) => ({ name: `${field}_1`, fields: [field] });
  await Promise.all([
    makeMissingIndexes(erased, [by('pending')]),
    makeMissingIndexes(identities, [by('person')]),
    makeMissingIndexes(carriers, [by('person'), by('hash')]),
    makeMissingIndexes(audio, [by('person'), by('kept')]),
    makeMissingIndexes(files, [by('person'), by('kept')]),
    // Not every server removes expired documents: then only sweeps do, by the same index.
    makeMissingIndexes(shortLived, [{ ...by('expires'), expireAfterSeconds: EXPIRED_SECONDS }]).catch(
      (error: unknown) => {
        if (error instanceof MongoServerError) return makeMissingIndexes(shortLived, [by('expires')]);
        throw error;
      },
    ),
  ]);
}

/** The bytes of a stored binary value, which the caller may keep. */
export const bytesOf = (binary: Binary): Buffer => Buffer.from(binary.value());

/** Documents in a page. */
export const PAGE = 200;

/** Documents in the order of their ids, those after `after`. */
export const pageOf = async <D extends { readonly _id: string }>(
  collection: Collection<D>,
  after: string | undefined,
): Promise<readonly D[]> => {
  const documents = collection as unknown as Collection<Document & { _id: string }>;
  const filter = after === undefined ? {} : { _id: { $gt: after } };
  const found = await documents.find(filter).sort({ _id: 1 }).limit(PAGE).toArray();
  return found as unknown as readonly D[];
};

/** Every document of a collection in the order of their ids, page by page, each page a call of its own. */
export async function* pages<D extends { readonly _id: string }>(
  session: Session,
  collection: Collection<D>,
): AsyncGenerator<readonly D[], void, undefined> {
  for (let after: string | undefined; ;) {
    const page = await session.call(() => pageOf(collection, after));
    if (page.length > 0) yield page;
    after = page.at(-1)?._id;
    if (after === undefined || page.length < PAGE) return;
  }
}

/** The erased persons. A tombstone is never removed. */
export class Tombstones {
  constructor(private readonly erased: Collections['erased']) {}

  /** Whether the person’s erasure has begun. */
  async has(person: PersonId): Promise<boolean> {
    return (await this.among([person])).has(person);
  }

  /** The erased ones of `persons`. */
  async among(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
    if (persons.length === 0) return new Set();
    const found = await this.erased.find({ _id: { $in: [...persons] } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** From here on the person is erased. The rest of the erasure is pending, unless it was completed before. */
  async set(person: PersonId): Promise<void> {
    await inserted(this.erased.insertOne({ _id: person, pending: true }));
  }

  /** Marks the erasure as complete: no other data of the person is left. */
  async complete(person: PersonId): Promise<void> {
    await this.erased.updateOne({ _id: person }, { $unset: { pending: true } });
  }

  /** Whether the person’s erasure is done. */
  async isComplete(person: PersonId): Promise<boolean> {
    const found = await this.erased.findOne({ _id: person });
    return found !== null && found.pending !== true;
  }

  /** Erasures that are not complete: under way, or interrupted by a crash. */
  async pending(): Promise<readonly PersonId[]> {
    const found = await this.erased.find({ pending: true }).toArray();
    return found.map(({ _id }) => _id);
  }
}
