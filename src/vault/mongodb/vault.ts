import type { ArchivableVault, VaultEntry } from '../archive.js';
import type { AudioStore } from '../../core/vault/audio.js';
import { VaultUnavailable } from '../../core/vault/errors.js';
import { KeyCache } from '../key-cache.js';
import { assertPersonId } from '../../core/vault/person-id.js';
import type { PersonId, Vault } from '../../core/vault/port.js';
import { SealedAudio } from '../sealed-audio.js';
import { Secrets } from '../secrets.js';
import type { WrappingKey } from '../wrapping.js';
import { Archive } from './archive.js';
import { AudioDocuments } from './audio-documents.js';
import type { Calls } from './calls.js';
import { Carriers } from './carriers.js';
import { Claims } from './claims.js';
import type { Collections } from './collections.js';
import { Erasures } from './erasures.js';
import { Identities } from './identities.js';
import { KeyReader } from './key-reader.js';
import { ReadDocuments } from './read-documents.js';
import { SecretDocuments } from './secret-documents.js';
import { StoredKeys } from './stored-keys.js';
import { Tombstones } from './tombstones.js';

/** The vault in MongoDB: see `openMongoVault`. */
export class MongoVault implements ArchivableVault {
  readonly audio: AudioStore;
  private readonly cache = new KeyCache();
  private readonly stored: StoredKeys;
  private readonly reader: KeyReader;
  private readonly erasures: Erasures;
  private readonly look: {
    readonly identities: Identities;
    readonly carriers: Carriers;
    readonly claims: Claims;
    readonly reads: ReadDocuments;
  };
  private readonly secrets: Secrets;
  private readonly archive: Archive;

  constructor(
    private readonly calls: Calls,
    collections: Collections,
    wrapping: WrappingKey,
  ) {
    const tombstones = new Tombstones(collections.erased);
    const stored = new StoredKeys(collections, tombstones, wrapping);
    const identities = new Identities(collections.identities, tombstones);
    const carriers = new Carriers(collections.carriers, tombstones);
    const claims = new Claims(collections.claims);
    const reads = new ReadDocuments(collections.reads);
    const chunks = new AudioDocuments(calls, collections.audio, tombstones);
    const assertCurrent = () => stored.assertCurrent();
    const secrets = new Secrets(new SecretDocuments(collections.secrets, assertCurrent), wrapping);
    const erase = (person: PersonId) => this.erase(person);
    this.stored = stored;
    this.look = { identities, carriers, claims, reads };
    this.secrets = secrets;
    this.reader = new KeyReader(calls, stored, this.cache);
    this.erasures = new Erasures(calls, collections, tombstones);
    this.archive = new Archive({
      calls,
      collections,
      wrapping,
      tombstones,
      stored,
      identities,
      carriers,
      claims,
      reads,
      chunks,
      secrets,
      erase,
    });
    this.audio = new SealedAudio(this.keys, chunks);
  }

  readonly keys: Vault['keys'] = {
    create: (person) =>
      this.calls.run(async () => {
        assertPersonId(person);
        const readAt = this.cache.clock();
        const key = this.stored.open(person, await this.stored.create(person));
        if (key) this.cache.keep(person, key, readAt);
        // What took too long may have been erased since.
        const standing = this.cache.get(person) ?? (await this.reader.get(person));
        if (standing) return standing;
        throw new VaultUnavailable(`The key of person ${person} vanished while it was made: try again.`);
      }),
    get: async (person) => {
      assertPersonId(person);
      return this.keys.peek?.(person) ?? this.reader.get(person);
    },
    peek: (person) => {
      this.calls.assertOpen();
      return this.cache.get(person);
    },
    erase: (person) => this.calls.run(() => this.erase(person)),
  };

  readonly identities: Vault['identities'] = {
    get: (hash) => this.calls.run(() => this.look.identities.get(hash)),
    swap: (hash, expected, person) => this.calls.run(() => this.look.identities.swap(hash, expected, person)),
  };

  readonly carriers: Vault['carriers'] = {
    list: (hash) => this.calls.run(() => this.look.carriers.list(hash)),
    add: (hash, person) => this.calls.run(() => this.look.carriers.add(hash, person)),
  };

  readonly claims: Vault['claims'] = {
    claim: (hash, person) => this.calls.run(() => this.look.claims.claim(hash, person)),
    move: (hash, from, to) => this.calls.run(() => this.look.claims.move(hash, from, to)),
  };

  readonly reads: Vault['reads'] = {
    record: (entries) => this.calls.run(() => this.look.reads.record(entries)),
    list: (evaluationId, page) => this.calls.run(() => this.look.reads.list(evaluationId, page)),
  };

  secret(name: string, make: () => Buffer): Promise<Buffer> {
    return this.calls.run(() => this.secrets.get(name, make));
  }

  entries(): AsyncIterable<VaultEntry> {
    return this.archive.entries();
  }

  put(entry: VaultEntry): Promise<void> {
    return this.calls.run(() => this.archive.put(entry));
  }

  async close(): Promise<void> {
    this.cache.clear();
    await this.calls.close();
  }

  /** Goes through with erasures that were cut off, and takes away what came back of erased persons. */
  async tidy(): Promise<void> {
    await this.erasures.finish();
    await this.erasures.sweep();
  }

  private async erase(person: PersonId): Promise<void> {
    await this.erasures.erase(person, () => this.cache.keep(person, { kind: 'erased' }, this.cache.clock()));
  }
}
