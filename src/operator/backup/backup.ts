import { existsSync, mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyLog } from '../../stores/lmdb/log/log.js';
import { StoreUnusable } from '../../core/errors.js';
import { copyVault } from '../../vault/lmdb/backup.js';
import { syncFolder } from '../../vault/lmdb/durable-files.js';
import { assertDataFolder } from '../cli/stores.js';
import { OperatorError } from '../cli/program.js';
import { contentOf, type LogContent } from './content.js';
import { assertNewFolder, assertWanted, makeIn, removeLocks, unfinishedName } from './folders.js';
import {
  copyPart,
  DATA_FILES,
  KEY_FILES,
  measure,
  type Part,
  type Sealed,
  settleFile,
  SHARDED,
  writeManifest,
} from './manifest.js';

export interface BackupOptions {
  /** data.key and signing.key of the data folder too. */
  readonly withKeys: boolean;
  readonly signal: AbortSignal;
  /** Hears what is being done, in lines for the screen. */
  readonly say: (line: string) => void;
}

export interface Backup extends Sealed {
  /** The key files that were saved. */
  readonly keys: readonly string[];
  /** How many people whom the log names have no key: their texts were lost before. */
  readonly keysMissing: number;
}

/**
 * Saves log and vault of a data folder beside whatever works on it. The log comes first: a key is durable before the
 * first event that needs it, so the vault that is copied after the log has the key of every event.
 * @param folder is made, whole or not at all
 * @throws {OperatorError | StoreUnusable} in a sentence why there is no backup
 */
export const backUp = async (dataDir: string, folder: string, options: BackupOptions): Promise<Backup> => {
  const { withKeys, signal, say } = options;
  assertDataFolder(dataDir, 'DATA_DIR');
  assertNewFolder(folder, dataDir);
  const keys = withKeys ? keyFilesIn(dataDir) : [];
  const parent = dirname(folder);
  return makeIn(parent, unfinishedName('backup', folder), async (made) => {
    const madeAt = new Date().toISOString();
    say('Copying the log.');
    mkdirSync(join(made, 'log'), { mode: 0o700 });
    await copyLog(join(dataDir, 'log'), join(made, 'log'));
    assertWanted(signal);
    say('Copying the vault.');
    await copyVault(join(dataDir, 'vault'), join(made, 'vault'));
    for (const path of keys) await copyPart(dataDir, made, path);
    assertWanted(signal);
    say('Reading the copy.');
    const { keysMissing, ...log } = await readCopy(made, dataDir);
    removeLocks(made);
    for (const path of DATA_FILES) await settleFile(join(made, path));
    const parts: Part[] = [];
    for (const path of [...DATA_FILES, ...SHARDED, ...keys]) {
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
    await rename(made, folder);
    await syncFolder(parent);
    return { ...sealed, keys, keysMissing };
  });
};

/** What is damaged in a copy was so in what it was made of. */
const readCopy = async (made: string, dataDir: string): Promise<LogContent> => {
  try {
    return await contentOf(made);
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
    throw new OperatorError(
      `The event log in ${dataDir} is damaged, so no backup was made of it. It was found in the copy: ${error.message}`,
      { cause: error },
    );
  }
};

const keyFilesIn = (dataDir: string): (typeof KEY_FILES)[number][] => {
  const found = KEY_FILES.filter((name) => existsSync(join(dataDir, name)));
  if (found.length > 0) return found;
  throw new OperatorError(
    `--with-keys saves data.key and signing.key of ${dataDir}, and neither is there: the service gets its keys from its environment. Keep them where they are kept already.`,
  );
};

const filesOf = (parts: readonly Part[], path: Part['path']): number =>
  parts.find((part) => part.path === path)?.files ?? 0;
