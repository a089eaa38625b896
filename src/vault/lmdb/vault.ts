import { privateFolder } from '../../stores/lmdb/folder.js';
import { StoreUnusable } from '../../core/errors.js';
import type { ArchivableVault, VaultEntry } from '../archive.js';
import type { AudioStore } from '../../core/vault/audio.js';
import { VaultUnavailable } from '../../core/vault/errors.js';
import { KeyCache } from '../key-cache.js';
import type { PersonId, PersonKey, Vault } from '../../core/vault/port.js';
import { SealedAudio } from '../sealed-audio.js';
import { Secrets } from '../secrets.js';
import { WrappingKey } from '../wrapping.js';
import { Archive } from './archive.js';
import { AudioEntries } from './audio-entries.js';
import { ClaimEntries } from './claims.js';
import { claim } from './data-key.js';
import { Environment, type KeyPart } from './environment.js';
import { LookUpEnvironment } from './look-up-environment.js';
import { KeyFiles } from './key-files.js';
import { LookUps } from './look-ups.js';
import { ReadEntries } from './read-entries.js';
import { SecretEntries } from './secret-entries.js';

export interface EmbeddedVaultOptions {
  /** DATA_KEY_PREVIOUS: everything still wrapped by it is wrapped afresh before this answers. */
  readonly previousDataKey?: Buffer;
}

/**
 * Opens the vault in `folder`, made where there is none; any number of processes of one host at once.
 * @param dataKey DATA_KEY, 32 bytes
 * @throws {StoreUnusable} another DATA_KEY, a newer version's vault or a damaged one; nothing was written
 */
export async function openEmbeddedVault(
  folder: string,
  dataKey: Buffer,
  options: EmbeddedVaultOptions = {},
): Promise<ArchivableVault> {
  const current = new WrappingKey(dataKey);
  const former = options.previousDataKey && new WrappingKey(options.previousDataKey, 'DATA_KEY_PREVIOUS');
  // Asked first: whoever makes keys has made the environment before.
  const hasKeys = KeyFiles.anyIn(folder);
  if (hasKeys && !Environment.existsIn(folder))
    throw new StoreUnusable(
      `The vault in ${folder} holds personal keys but its look-ups are lost: restore the whole vault from its backup.`,
    );
  privateFolder(folder);
  const environment = await LookUpEnvironment.openIn(folder);
  let audio: Environment<Buffer, KeyPart> | null = null;
  try {
    const files = new KeyFiles(folder, current);
    claim(environment, files, current, former ?? null, !hasKeys);
    files.prepare();
    audio = Environment.openAudio(folder);
    const vault = new EmbeddedVault({ environment, audio }, files, current);
    await vault.finishErasures();
    return vault;
  } catch (error) {
    await environment.close();
    await audio?.close();
    throw error;
  }
}

interface Environments {
  readonly environment: Environment;
  readonly audio: Environment<Buffer, KeyPart>;
}

class EmbeddedVault implements ArchivableVault {
  readonly audio: AudioStore;
  private readonly cache = new KeyCache();
  private readonly chunks: AudioEntries;
  private readonly lookUps: LookUps;
  private readonly claimed: ClaimEntries;
  private readonly readBy: ReadEntries;
  private readonly secrets: Secrets;
  private readonly archive: Archive;
  private closed = false;

  constructor(
    private readonly environments: Environments,
    private readonly files: KeyFiles,
    wrapping: WrappingKey,
  ) {
    const { environment, audio } = environments;
    this.lookUps = new LookUps(environment);
    this.claimed = new ClaimEntries(environment);
    this.readBy = new ReadEntries(environment);
    this.secrets = new Secrets(new SecretEntries(environment), wrapping);
    this.chunks = new AudioEntries(() => {
      this.assertOpen();
      return audio;
    });
    this.archive = new Archive({
      environment,
      files,
      lookUps: this.lookUps,
      claims: this.claimed,
      reads: this.readBy,
      chunks: this.chunks,
      secrets: this.secrets,
      wrapping,
      erase: (person) => this.keys.erase(person),
    });
    this.audio = new SealedAudio(this.keys, this.chunks);
  }

  readonly keys: Vault['keys'] = {
    create: async (person) => {
      this.assertOpen();
      await this.files.create(person);
      const key = this.load(person);
      if (key) return key;
      throw new VaultUnavailable(`The key of person ${person} vanished while it was made: try again.`);
    },
    get: async (person) => this.peek(person),
    peek: (person) => this.peek(person),
    erase: async (person) => {
      this.assertOpen();
      await this.lookUps.beginErasure(person);
      await this.finishErasure(person);
    },
  };

  readonly identities: Vault['identities'] = {
    get: async (hash) => {
      this.assertOpen();
      return this.lookUps.identity(hash);
    },
    swap: async (hash, expected, person) => {
      this.assertOpen();
      return this.lookUps.swapIdentity(hash, expected, person);
    },
  };

  readonly carriers: Vault['carriers'] = {
    list: async (hash) => {
      this.assertOpen();
      return this.lookUps.carriers(hash);
    },
    add: async (hash, person) => {
      this.assertOpen();
      await this.lookUps.addCarrier(hash, person);
    },
  };

  readonly claims: Vault['claims'] = {
    claim: async (hash, person) => {
      this.assertOpen();
      return this.claimed.claim(hash, person);
    },
    move: async (hash, from, to) => {
      this.assertOpen();
      return this.claimed.move(hash, from, to);
    },
  };

  readonly reads: Vault['reads'] = {
    record: async (entries) => {
      this.assertOpen();
      await this.readBy.record(entries);
    },
    list: async (evaluationId, page) => {
      this.assertOpen();
      return this.readBy.list(evaluationId, page);
    },
  };

  async secret(name: string, make: () => Buffer): Promise<Buffer> {
    this.assertOpen();
    return this.secrets.get(name, make);
  }

  async *entries(): AsyncIterable<VaultEntry> {
    this.assertOpen();
    for (const entry of this.archive.entries()) {
      yield entry;
      this.assertOpen();
    }
  }

  async put(entry: VaultEntry): Promise<void> {
    this.assertOpen();
    await this.archive.put(entry);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.cache.clear();
    await this.environments.environment.close();
    await this.environments.audio.close();
  }

  /** Goes through with erasures that a crash has cut off. */
  async finishErasures(): Promise<void> {
    for (const person of this.lookUps.unfinishedErasures()) await this.finishErasure(person);
  }

  private async finishErasure(person: PersonId): Promise<void> {
    await this.files.entomb(person);
    this.cache.forget(person);
    await this.files.destroy(person);
    this.cache.forget(person);
    await this.chunks.erase(person);
    await this.lookUps.endErasure(person);
  }

  private peek(person: PersonId): PersonKey | null {
    this.assertOpen();
    return this.cache.get(person) ?? this.load(person);
  }

  private load(person: PersonId): PersonKey | null {
    return this.cache.load(person, () => this.files.read(person));
  }

  private assertOpen(): void {
    if (this.closed) throw new VaultUnavailable('The vault is closed.');
  }
}
