import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnusable } from '../../core/errors.js';
import { evidenceKeys } from '../../core/signing.js';
import { BACKUP } from '../../process/operations/operations.js';
import { ISSUER_FILE, presentKeys } from '../../process/secret-files.js';
import { copyLog } from '../../stores/lmdb/log/log.js';
import { copyVault, isOpenedBy } from '../../vault/lmdb/backup.js';
import { syncFolder } from '../../vault/lmdb/durable-files.js';
import { assertDataFolder, assertOutside, assertWanted, makeNewFolder, removeLocks } from '../cli/folders.js';
import { OperatorError } from '../cli/program.js';
import { requestsIn } from '../cli/requests.js';
import { closing, logOf } from '../cli/stores.js';
import {
  contentOf,
  copyPart,
  DATA_FILES,
  KEY_FILES,
  type LogContent,
  makeDurable,
  measure,
  type Part,
  type Sealed,
  SHARDED,
  writeManifest,
} from './manifest.js';

export interface BackupOptions {
  /** Save data.key and signing.key of the data folder too. */
  readonly withKeys: boolean;
  readonly signal: AbortSignal;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}

/** What a backup has saved. */
export interface Backup extends Sealed {
  /** The key files that were saved. */
  readonly keys: readonly string[];
  /** Whether the development issuer's file was saved. */
  readonly withIssuer: boolean;
  /** Whether the last result in the log was signed with another key than the saved signing.key. */
  readonly otherSigningKey: boolean;
  /** How many people in the log have no key in the vault, so that their texts cannot be read. */
  readonly keysMissing: number;
}

/**
 * Saves log and vault of a data folder while a service uses it. The log is copied first: a key is durable before the
 * first event that needs it, so a vault that is copied later has the keys of all events in the log.
 * @param folder created, complete or not at all
 * @throws {OperatorError | StoreUnusable} why there is no backup
 */
export const backUp = async (dataDir: string, folder: string, options: BackupOptions): Promise<Backup> => {
  const { withKeys, signal, say } = options;
  assertDataFolder(dataDir, 'DATA_DIR');
  assertOutside(folder, dataDir, 'the data folder');
  const keys = withKeys ? keyFilesIn(dataDir) : [];
  const none = { dataKey: null, signingKey: null };
  const { dataKey, signingKey } = withKeys ? await presentKeys({ dataDir, ...none }) : none;
  const issuer = existsSync(join(dataDir, ISSUER_FILE)) ? ([ISSUER_FILE] as const) : [];
  return makeNewFolder(folder, 'backup', async (made) => {
    const madeAt = new Date().toISOString();
    say('Copying the log.');
    mkdirSync(join(made, 'log'), { mode: 0o700 });
    await copyLog(join(dataDir, 'log'), join(made, 'log'));
    assertWanted(signal);
    say('Copying the vault.');
    await copyVault(join(dataDir, 'vault'), join(made, 'vault'));
    if (keys.includes('data.key') && dataKey && (await isOpenedBy(join(made, 'vault'), dataKey)) === false)
      throw staleKey(dataDir);
    for (const path of [...keys, ...issuer]) await copyPart(dataDir, made, path);
    assertWanted(signal);
    say('Checking the copy.');
    const { keysMissing, signedBy, ...log } = await readCopy(made, dataDir);
    removeLocks(made);
    for (const path of DATA_FILES) await makeDurable(join(made, path));
    const parts: Part[] = [];
    for (const path of [...DATA_FILES, ...SHARDED, ...keys, ...issuer]) {
      assertWanted(signal);
      parts.push(await measure(made, path));
    }
    const sealed = await writeManifest(made, {
      madeAt,
      ...log,
      people: filesOf(parts, 'vault/keys'),
      erased: filesOf(parts, 'vault/erased'),
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      parts,
    });
    for (const path of ['log', 'vault/look-ups', 'vault/audio', 'vault', '.'])
      await syncFolder(join(made, path));
    assertWanted(signal);
    const signs = signingKey && evidenceKeys(signingKey, []).trusted.published[0]?.kid;
    const otherSigningKey = keys.includes('signing.key') && signedBy !== null && signs !== signedBy;
    return { ...sealed, keys, withIssuer: issuer.length > 0, otherSigningKey, keysMissing };
  });
};

/** Reads a copied log. Reports damage as damage of the original, from which it was copied. */
const readCopy = async (made: string, dataDir: string): Promise<LogContent> => {
  try {
    return await contentOf(made);
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
    throw new OperatorError(
      `The event log in ${dataDir} is damaged, so no backup was made. The copy showed: ${error.message}`,
      { cause: error },
    );
  }
};

const keyFilesIn = (dataDir: string): (typeof KEY_FILES)[number][] => {
  const found = KEY_FILES.filter((name) => existsSync(join(dataDir, name)));
  if (found.length > 0) return found;
  throw new OperatorError(
    `--with-keys saves data.key and signing.key of ${dataDir}, and neither exists: the service gets its keys from its environment. Omit --with-keys.`,
  );
};

const staleKey = (dataDir: string): OperatorError =>
  new OperatorError(
    `${join(dataDir, 'data.key')} does not open the vault: another DATA_KEY wraps it, which the service gets from its environment. No backup was made. Omit --with-keys and keep that DATA_KEY in a safe place; remove the file once no backup from its time is needed.`,
  );

const filesOf = (parts: readonly Part[], path: Part['path']): number =>
  parts.find((part) => part.path === path)?.files ?? 0;

/**
 * Records a backup in the operator's stream. If that fails, the backup is valid nevertheless: the log's disk may be
 * full.
 * @throws {OperatorError} it could not be recorded
 */
export const recordBackup = async (dataDir: string, { manifest, sha256, keys }: Backup): Promise<void> => {
  const { madeAt, head, events, people, erased, bytes } = manifest;
  const withKeys = keys.length > 0;
  try {
    await closing(logOf(dataDir), (log) =>
      requestsIn(log).record(BACKUP, { sha256, madeAt, head, events, people, erased, bytes, withKeys }),
    );
  } catch (error) {
    throw new OperatorError(
      `The backup is made, but it could not be recorded in the operator’s stream (${(error as Error).message}).`,
      { cause: error },
    );
  }
};
