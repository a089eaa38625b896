/*
 * vault/lmdb/: the vault in files and two LMDB environments, for all processes of one host. It promises what
 * `VaultDriver` does, and that no file contains data that an erasure has destroyed. Order: `openEmbeddedVault` opens
 * the look-ups (`look-up-environment`), audio and files (`chunk-entries`), rewraps keys and secrets if DATA_KEY is
 * changed (`data-key`), and completes erasures (`keys`). Persons' keys are files (`key-files`); look-ups are in
 * `tables`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnusable, VaultUnavailable } from '../../core/errors.js';
import { dataFile, makePrivateFolder } from '../../stores/lmdb/folder.js';
import type { ArchivableVault } from '../archive.js';
import { type DataKeyOptions, type WrappingKey, wrappingKeys } from '../data-key.js';
import type { VaultDriver } from '../driver.js';
import { StoredVault } from '../vault.js';
import { ChunkEntries, ChunkErasures } from './chunk-entries.js';
import { descriptionIn, ensureWrapped } from './data-key.js';
import { syncFolderNow } from './durable-files.js';
import { AUDIO, Environment, isVault, type KeyPart } from './environment.js';
import { KeyFiles } from './key-files.js';
import { EmbeddedKeys } from './keys.js';
import { LookUpEnvironment } from './look-up-environment.js';
import { tablesIn } from './tables.js';

type ChunkEnvironment = Environment<Buffer, KeyPart>;

/**
 * Opens the vault in `folder`, or makes it. Any number of processes of one host may have it open.
 * @param dataKey DATA_KEY, 32 bytes
 * @throws {StoreUnusable} another DATA_KEY, a newer version's vault, or one that is damaged or lacks a part; nothing that is
 *   there was changed
 */
export async function openEmbeddedVault(
  folder: string,
  dataKey: Buffer,
  options: DataKeyOptions = {},
): Promise<ArchivableVault> {
  const { current, former } = wrappingKeys(dataKey, options);
  // Checked before `isVault`: a process that makes a vault makes the environment before the first key.
  const hasKeys = KeyFiles.anyIn(folder);
  if (hasKeys && !isVault(folder))
    throw new StoreUnusable(
      `The vault in ${folder} holds personal keys but its look-ups are lost: restore the whole vault from its backup.`,
    );
  makePrivateFolder(folder);
  const environment = await LookUpEnvironment.openIn(folder);
  let chunks: ChunkEnvironment | null = null;
  try {
    const files = new KeyFiles(folder, current);
    // The description is written last: a vault that has one has all its parts.
    const isMade = descriptionIn(environment) !== undefined;
    if (isMade) assertWhole(folder);
    chunks = Environment.openChunks(folder);
    files.prepare();
    if (!isMade) syncFolderNow(join(folder, AUDIO.folder));
    const changed = ensureWrapped(environment, files, current, former, !hasKeys);
    if (former) options.onChanged?.(changed ? 'now' : 'before');
    return new StoredVault(await startDriver(environment, chunks, files, current));
  } catch (error) {
    await environment.close();
    await chunks?.close();
    throw error;
  }
}

const PARTS = ['keys', 'erased', dataFile(AUDIO.folder)];

/** @throws {StoreUnusable} a part is lost: a new one would be empty, as if nothing had been stored */
function assertWhole(folder: string): void {
  const part = PARTS.find((name) => !existsSync(join(folder, name)));
  if (part !== undefined)
    throw new StoreUnusable(
      `${join(folder, part)} is lost, a part of the vault: restore the whole vault from its backup.`,
    );
}

/** Makes the vault's driver, after completing the erasures that a former process began. */
async function startDriver(
  environment: Environment,
  chunks: ChunkEnvironment,
  files: KeyFiles,
  wrapping: WrappingKey,
): Promise<VaultDriver> {
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed) throw new VaultUnavailable('The vault is closed.');
  };
  const openChunks = (): ChunkEnvironment => {
    assertOpen();
    return chunks;
  };
  const keys = new EmbeddedKeys(environment, files, new ChunkErasures(openChunks));
  await keys.finishErasures();
  return {
    wrapping,
    keys,
    tables: tablesIn(environment),
    audio: new ChunkEntries('audio', openChunks),
    files: new ChunkEntries('files', openChunks),
    assertOpen,
    run: async (work) => {
      assertOpen();
      return work();
    },
    // No check is needed: a change of DATA_KEY rewraps secrets and the description in one transaction, and each key
    // beside its former form.
    assertCurrent: async () => undefined,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      keys.forgetAll();
      await environment.close();
      await chunks.close();
    },
  };
}
