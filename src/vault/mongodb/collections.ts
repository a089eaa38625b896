import { Binary, type Collection, type Db, MongoServerError } from 'mongodb';
import { makeMissingIndexes } from '../../stores/mongodb/indexes.js';
import type { Description } from '../data-key.js';
import type { KeyedHash, PersonId, PersonRef } from '../../core/vault/port.js';
import type { ReadEntry } from '../../core/vault/read-entry.js';

/** A person's key, wrapped. */
export interface KeyDocument {
  readonly _id: PersonId;
  readonly wrapped: Binary;
}

/** An erased person, for good: stronger than any key. `pending` until everything else of the person is gone. */
export interface TombstoneDocument {
  readonly _id: PersonId;
  readonly pending?: true;
}

export interface IdentityDocument {
  readonly _id: KeyedHash;
  readonly person: PersonId;
}

/** Under hash and person, so that each person stands there once. */
export interface CarrierDocument extends PersonRef {
  readonly _id: string;
  readonly hash: KeyedHash;
}

/** Under the hash of a command's id: the person that it was first sent for. */
export interface ClaimDocument {
  readonly _id: KeyedHash;
  readonly person: PersonId;
}

/** Under evaluation, time and id, so that an evaluation's stand together in their order. */
export interface ReadDocument extends ReadEntry {
  readonly _id: string;
}

/**
 * A chunk of audio, under person, session and the frame that it goes on after. It stays when the chunk is discarded,
 * so that nothing else is ever put in its place: `kept` and `sealed` go.
 */
export interface AudioDocument {
  readonly _id: string;
  readonly person: PersonId;
  readonly session: string;
  readonly last: number;
  /** Person, session, turn, first and last frame and the seal's length: most questions are answered by its index. */
  readonly kept?: string;
  readonly sealed?: Binary;
}

/** A secret of the server, wrapped, under its name. */
export interface SecretDocument {
  readonly _id: string;
  readonly wrapped: Binary;
}

export interface DescriptionDocument extends Description {
  readonly _id: 'vault';
}

/** Tombstones lie apart from keys, so that a backup of one can be restored without the other. */
export interface Collections {
  readonly keys: Collection<KeyDocument>;
  readonly erased: Collection<TombstoneDocument>;
  readonly identities: Collection<IdentityDocument>;
  readonly carriers: Collection<CarrierDocument>;
  readonly claims: Collection<ClaimDocument>;
  readonly reads: Collection<ReadDocument>;
  readonly audio: Collection<AudioDocument>;
  readonly secrets: Collection<SecretDocument>;
  readonly description: Collection<DescriptionDocument>;
}

export const collectionsOf = (db: Db): Collections => ({
  keys: db.collection('vault_keys'),
  erased: db.collection('vault_erased'),
  identities: db.collection('vault_identities'),
  carriers: db.collection('vault_carriers'),
  claims: db.collection('vault_claims'),
  reads: db.collection('vault_reads'),
  audio: db.collection('vault_audio'),
  secrets: db.collection('vault_secrets'),
  description: db.collection('vault'),
});

/** Every query that does not go by `_id` has its index. */
export async function makeIndexes({ erased, identities, carriers, audio }: Collections): Promise<void> {
  const by = (field: string) => ({ name: `${field}_1`, field });
  await Promise.all([
    makeMissingIndexes(erased, [by('pending')]),
    makeMissingIndexes(identities, [by('person')]),
    makeMissingIndexes(carriers, [by('person'), by('hash')]),
    makeMissingIndexes(audio, [by('person'), by('kept')]),
  ]);
}

/** A space comes before every letter of a hash, so that the order is by hash and then by person. */
export const carrierId = (hash: KeyedHash, person: PersonId): string => `${hash} ${person}`;

export const bytesOf = (binary: Binary): Buffer => Buffer.from(binary.value());

/** The server's code for it. */
export const TAKEN = 11_000;

/** Another document stands under the same id. */
export const isTaken = (error: unknown): boolean => error instanceof MongoServerError && error.code === TAKEN;
