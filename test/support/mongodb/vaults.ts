import { MongoClient } from 'mongodb';
import { randomBytes, randomUUID } from 'node:crypto';
import type { KeyedHash } from '../../../src/core/keyed-hash.js';
import type { PersonId, PersonKey } from '../../../src/core/vault/port.js';
import type { ArchivableVault, VaultEntry } from '../../../src/vault/archive.js';
import { type Collections, collectionsOf } from '../../../src/vault/mongodb/collections.js';
import { openMongoVault } from '../../../src/vault/mongodb/open.js';
import type { PersonRef, Vault } from '../../../src/vault/port.js';

export const aPerson = (): PersonId => randomUUID() as PersonId;
export const aHash = (): KeyedHash => randomBytes(32).toString('hex') as KeyedHash;

/** A person with a key and every kind of look-up. */
export interface Known {
  readonly person: PersonId;
  readonly ref: PersonRef;
  readonly key: PersonKey;
  readonly identity: KeyedHash;
  readonly carrier: KeyedHash;
}

/** Makes a person in a vault, with a key and every kind of look-up. */
export const introduce = async (vault: Vault): Promise<Known> => {
  const person = aPerson();
  const ref: PersonRef = { person, kind: 'candidate', organisationId: randomUUID() };
  const known = { person, ref, identity: aHash(), carrier: aHash() };
  const key = await vault.keys.create(person);
  await vault.carriers.add(known.carrier, ref);
  await vault.identities.swap(known.identity, null, person);
  return { ...known, key };
};

/** All entries of a vault's archive. */
export const entriesOf = async (vault: ArchivableVault): Promise<VaultEntry[]> => {
  const entries: VaultEntry[] = [];
  for await (const entry of vault.entries()) entries.push(entry);
  return entries;
};

/** A database of vaults: opens instances of the vault on it, and reads what it stores. */
export class VaultDatabase {
  private readonly client: MongoClient;
  private readonly opened: Vault[] = [];
  readonly collections: Collections;

  constructor(
    readonly url: string,
    readonly dataKey: Buffer = randomBytes(32),
  ) {
    this.client = new MongoClient(url);
    this.collections = collectionsOf(this.client.db());
  }

  /** Opens another instance, as another process does. */
  async open(dataKey = this.dataKey, previousDataKey?: Buffer): Promise<ArchivableVault> {
    const vault = await openMongoVault(this.url, dataKey, previousDataKey && { previousDataKey });
    this.opened.push(vault);
    return vault;
  }

  /** The collections that hold anything of the person. */
  async holding(person: PersonId): Promise<string[]> {
    const { keys, erased, identities, carriers } = this.collections;
    const counts = await Promise.all([
      keys.countDocuments({ _id: person }),
      erased.countDocuments({ _id: person }),
      identities.countDocuments({ person }),
      carriers.countDocuments({ person }),
    ]);
    return ['key', 'erased', 'identity', 'carrier'].filter((_, index) => counts[index] !== 0);
  }

  /** Everything in the database, as text. */
  async dump(): Promise<string> {
    const collections = await this.client.db().collections();
    const documents = await Promise.all(
      collections.map(async (collection) => [
        collection.collectionName,
        await collection.find().sort({ _id: 1 }).toArray(),
      ]),
    );
    return JSON.stringify(documents.sort());
  }

  async closeVaults(): Promise<void> {
    await Promise.all(this.opened.splice(0).map((vault) => vault.close()));
  }

  async drop(): Promise<void> {
    await this.closeVaults();
    await this.client.db().dropDatabase();
    await this.client.close();
  }
}
