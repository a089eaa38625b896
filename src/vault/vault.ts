import { assertPersonId, type PersonId } from '../core/vault/port.js';
import { Archive, type ArchivableVault, type VaultEntry } from './archive.js';
import { entryOfRead, insertIfAbsent, keyOfRead, type VaultDriver } from './driver.js';
import { type AudioStore, type FileStore, type Vault, assertEvaluationId, assertReadPlace } from './port.js';
import { SealedAudio } from './sealed-audio.js';
import { SealedFiles } from './sealed-files.js';
import { Secrets } from './secrets.js';

/**
 * The vault over a store's driver, as `openEmbeddedVault` and `openMongoVault` make it: it checks arguments, seals
 * audio and files, and calls the driver's keys, tables and chunk stores. `Vault` describes each call. `driver.run`
 * refuses a call once the vault is closed, and limits its time if the store is remote.
 */
export class StoredVault implements ArchivableVault {
  readonly audio: AudioStore;
  readonly files: FileStore;
  private readonly secrets: Secrets;
  private readonly archive: Archive;

  constructor(private readonly driver: VaultDriver) {
    this.audio = new SealedAudio(this.keys, driver.audio);
    this.files = new SealedFiles(this.keys, driver.files);
    this.secrets = new Secrets(driver);
    this.archive = new Archive(driver, this.secrets);
  }

  readonly keys: Required<Vault['keys']> = {
    create: (person) => this.runFor(person, () => this.driver.keys.create(person)),
    // Not by `run`: the driver limits the time of reads of keys itself, since several calls may share one.
    get: async (person) => {
      this.driver.assertOpen();
      return this.driver.keys.get(person);
    },
    peek: (person) => {
      this.driver.assertOpen();
      return this.driver.keys.peek(person);
    },
    erase: (person) => this.runFor(person, () => this.driver.keys.erase(person)),
  };

  readonly identities: Vault['identities'] = {
    get: (hash) => this.driver.run(() => this.driver.tables.identities.get([hash])),
    swap: (hash, expected, person) =>
      this.runFor(person, async () => {
        const { identities } = this.driver.tables;
        if (expected !== null) return identities.replace([hash], expected, person);
        return (await identities.insert([hash], person)) === 'inserted';
      }),
  };

  readonly carriers: Vault['carriers'] = {
    list: (hash) => this.driver.run(() => this.driver.tables.carriers.list([hash])),
    add: (hash, { person, kind, organisationId }) =>
      this.runFor(person, async () => {
        await this.driver.tables.carriers.insert([hash, person], { person, kind, organisationId });
      }),
  };

  readonly claims: Vault['claims'] = {
    claim: (hash, person) =>
      this.runFor(
        person,
        async () => (await insertIfAbsent(this.driver.tables.claims, [hash], person)) ?? person,
      ),
    move: (hash, from, to) => this.runFor(to, () => this.driver.tables.claims.replace([hash], from, to)),
  };

  readonly reads: Vault['reads'] = {
    record: (entries) =>
      this.driver.run(async () => {
        if (entries.length === 0) return;
        await this.driver.tables.reads.insertMany(entries.map(entryOfRead));
      }),
    list: (evaluationId, { limit, before }) =>
      this.driver.run(() => {
        assertEvaluationId(evaluationId);
        if (before) assertReadPlace(before);
        const edge = before && keyOfRead(evaluationId, before);
        return this.driver.tables.reads.last([evaluationId], limit, edge);
      }),
  };

  readonly shortLived: Vault['shortLived'] = {
    get: (hash) => this.driver.run(() => this.driver.tables.shortLived.get([hash])),
    swap: (hash, expected, entry) =>
      this.driver.run(async () => {
        const { shortLived } = this.driver.tables;
        if (expected === null)
          return entry === null
            ? (await shortLived.get([hash])) === null
            : (await shortLived.insert([hash], entry)) === 'inserted';
        if (entry === null) return shortLived.remove([hash], expected);
        return shortLived.replace([hash], expected, entry);
      }),
    sweep: async (now) => {
      this.driver.assertOpen();
      const { tables } = this.driver;
      if (tables.removeExpired) return this.driver.run(async () => (await tables.removeExpired?.(now)) ?? 0);
      const { shortLived } = tables;
      let swept = 0;
      for await (const page of shortLived.scan())
        for (const { key, value } of page)
          if (value.expiresAt <= now && (await this.driver.run(() => shortLived.remove(key, value)))) swept++;
      return swept;
    },
  };

  readonly sweeps: Vault['sweeps'] = {
    cursor: (name) => this.driver.run(() => this.driver.tables.sweeps.get([name])),
    move: (name, expected, cursor) =>
      this.driver.run(async () => {
        const { sweeps } = this.driver.tables;
        if (expected !== null) return sweeps.replace([name], expected, cursor);
        return (await sweeps.insert([name], cursor)) === 'inserted';
      }),
    // Not by `run`: a part is large, and the driver limits the time of each step.
    erased: async (after, signal) => {
      this.driver.assertOpen();
      return this.driver.keys.sweep(after, signal);
    },
  };

  secret(name: string, make: () => Buffer): Promise<Buffer> {
    return this.driver.run(() => this.secrets.get(name, make));
  }

  async *entries(): AsyncIterable<VaultEntry> {
    this.driver.assertOpen();
    for await (const entry of this.archive.entries()) {
      yield entry;
      this.driver.assertOpen();
    }
  }

  put(entry: VaultEntry): Promise<void> {
    return this.driver.run(() => this.archive.put(entry));
  }

  close(): Promise<void> {
    return this.driver.close();
  }

  /** Runs a call about a person. @throws {RangeError} `person` is not a valid id */
  private runFor<T>(person: PersonId, work: () => Promise<T>): Promise<T> {
    return this.driver.run(() => {
      assertPersonId(person);
      return work();
    });
  }
}
