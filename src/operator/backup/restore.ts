import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import { preRestoreDetails, type PreRestoreMails } from '../../domain/operations/decider.js';
import type { Details } from '../../domain/operations/events.js';
import { HOST_MARK, isOwnFolder, isRenewed, keepRenewed, leftFolders } from '../../process/own-folders.js';
import { makeFolder } from '../../process/secret-files.js';
import { ISSUER_FILE, presentKeys } from '../../process/secret-files.js';
import { beginNewLife } from '../../stores/lmdb/log/log.js';
import { eraseIn, isOpenedBy } from '../../vault/lmdb/backup.js';
import { syncFolder } from '../../vault/lmdb/durable-files.js';
import { assertOutside, assertWanted, makeIn, removeLocks, unfinishedName } from '../cli/folders.js';
import { CalledWrongly, OperatorError } from '../cli/program.js';
import { requestsIn } from '../cli/requests.js';
import { closing, logOf } from '../cli/stores.js';
import { carryErasures, type Erasures, erasuresOf } from './erasures.js';
import {
  contentOf,
  copyPart,
  damagedBackup,
  isSame,
  KEY_FILES,
  measure,
  type Part,
  readManifest,
  type Sealed,
} from './manifest.js';

interface RestoreOptions {
  /** The former data folder or a newer backup; `null`: there is none. */
  readonly newer: string | null;
  readonly acceptLost: boolean;
  /** What happens to mails that were due before the restore: they may have been sent after the backup. */
  readonly preRestoreMails: PreRestoreMails;
  readonly signal: AbortSignal;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}

/** What a restore has done. */
export interface Restored extends Sealed {
  /** The erasures that were applied; `null`: no newer folder was named. */
  readonly erasures: {
    /** People erased after the backup. */
    readonly people: number;
    /** Events of erasures that were added to the log. */
    readonly events: number;
    /** Whether all of the newer folder could be read. */
    readonly complete: boolean;
  } | null;
  /** Whether the backup had key files, which are now in the data folder. */
  readonly withKeys: boolean;
  /** Whether the backup had a data.key that does not open its vault. It was not restored. */
  readonly staleKey: boolean;
  /** Where the development issuer's file was restored from; `null`: there is none. */
  readonly issuer: string | null;
}

const NO_TOMBSTONES =
  'People erased after this backup would become readable again. Pass --tombstones with the former data folder or a newer backup to apply its erasures. If there is neither, pass --accept-lost-erasures and erase those people again.';

/**
 * Makes a data folder from a backup. Later erasures are applied before the folder can be used.
 * @param dataDir empty, or does not exist
 * @throws {OperatorError | StoreUnusable} why nothing was restored
 */
export const restore = async (
  folder: string,
  dataDir: string,
  options: RestoreOptions,
): Promise<Restored> => {
  const { newer, acceptLost, preRestoreMails, signal, say } = options;
  if (newer === null && !acceptLost) throw new CalledWrongly(NO_TOMBSTONES);
  const { manifest, sha256 } = await readManifest(folder);
  assertOutside(dataDir, folder, 'the backup');
  if (newer !== null) assertOutside(dataDir, newer, 'the folder of --tombstones');
  const isThere = await emptied(dataDir);
  const known = newer === null ? null : await erasuresOf(newer, { backup: folder, manifest, acceptLost });
  await makeFolder(dataDir);
  let endRenewals = (): void => undefined;
  try {
    return await makeIn(dataDir, unfinishedName('restore', dataDir), async (made) => {
      endRenewals = keepRenewed(made);
      // Its folder announces this restore, so that of several that begin at once none overlooks another.
      await assertAlone(dataDir, basename(made));
      say('Copying log and vault.');
      for (const part of manifest.parts) {
        assertWanted(signal);
        await copyWhole(folder, made, part);
      }
      say('Checking the copy.');
      const { logId, head, events } = await contentOf(made);
      if (logId !== manifest.logId || head !== manifest.head || events !== manifest.events)
        throw damagedBackup(folder, 'log/data.mdb');
      assertWanted(signal);
      await beginNewLife(join(made, 'log'));
      const erasures = known && (await applyErasures(made, known, say));
      const details = {
        backup: sha256,
        madeAt: manifest.madeAt,
        events,
        ...detailsOf(erasures),
        ...preRestoreDetails(preRestoreMails),
      };
      await closing(logOf(made), (log) => requestsIn(log).record('restore', details));
      const saved = KEY_FILES.filter((name) => manifest.parts.some(({ path }) => path === name));
      const staleKey = saved.includes('data.key') && !(await opensVault(made));
      const keys = saved.filter((name) => name !== 'data.key' || !staleKey);
      removeLocks(made);
      const from = [folder, newer].find((one) => one !== null && existsSync(join(one, ISSUER_FILE))) ?? null;
      if (from !== null && from !== folder) await copyPart(from, made, ISSUER_FILE);
      assertWanted(signal);
      assertEmpty(dataDir);
      await moveIn(made, dataDir, [...keys, ...(from === null ? [] : [ISSUER_FILE])]);
      return { manifest, sha256, erasures, withKeys: keys.length > 0, staleKey, issuer: from };
    });
  } catch (error) {
    // `rmdir` fails if the folder is not empty, and then the folder stays.
    if (!isThere) await rmdir(dataDir).catch(() => undefined);
    throw error;
  } finally {
    endRenewals();
  }
};

/** Whether a folder's data.key opens its vault. */
const opensVault = async (folder: string): Promise<boolean> => {
  const { dataKey } = await presentKeys({ dataDir: folder, dataKey: null, signingKey: Buffer.alloc(0) });
  return dataKey !== null && (await isOpenedBy(join(folder, 'vault'), dataKey)) !== false;
};

const copyWhole = async (folder: string, made: string, part: Part): Promise<void> => {
  try {
    await copyPart(folder, made, part.path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw damagedBackup(folder, part.path);
    throw error;
  }
  if (!isSame(part, await measure(made, part.path))) throw damagedBackup(folder, part.path);
};

/** Erases people in a data folder, and adds the events of erasures that its log lacks. */
const applyErasures = async (
  folder: string,
  known: Erasures,
  say: (line: string) => void,
): Promise<NonNullable<Restored['erasures']>> => {
  say('Applying erasures made after the backup.');
  const people = await eraseIn(join(folder, 'vault'), known.people);
  const events = await closing(logOf(folder), (log) => carryErasures(log, known.events));
  return { people, events, complete: known.complete };
};

const detailsOf = (erasures: Restored['erasures']): Details => ({
  erasedPeople: erasures?.people ?? 0,
  erasureEvents: erasures?.events ?? 0,
  lostErasuresAccepted: erasures?.complete !== true,
});

/**
 * Removes what a killed restore has left in a folder.
 * @returns whether the folder exists
 * @throws {OperatorError} the folder has other content, or another restore is making it
 */
const emptied = async (dataDir: string): Promise<boolean> => {
  if (!existsSync(dataDir)) return false;
  if (!statSync(dataDir).isDirectory()) throw new OperatorError(`DATA_DIR, ${dataDir}, is not a folder.`);
  const left = assertEmpty(dataDir);
  await assertAlone(dataDir, null);
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true });
  return true;
};

/** @returns names of the folders of other restores @throws {OperatorError} the folder has other content */
const assertEmpty = (dataDir: string): readonly string[] => {
  // If the folder is a volume, it may contain `lost+found`.
  const names = readdirSync(dataDir).filter((name) => name !== 'lost+found');
  const left = names.filter((name) => name.startsWith(unfinishedName('restore', dataDir)));
  if (left.length === names.length) return left;
  throw new OperatorError(
    `DATA_DIR, ${dataDir}, is not empty: restore into an empty or a new folder. Move its content elsewhere; if it is the former data folder, name it with --tombstones.`,
  );
};

/** @param own this restore's folder; `null` before it has one @throws {OperatorError} another restore is running */
const assertAlone = async (dataDir: string, own: string | null): Promise<void> => {
  const others = assertEmpty(dataDir).filter((name) => name !== own && isOwnFolder(name, () => true));
  const isOurs = (prefix: string): boolean => prefix.endsWith(`-${HOST_MARK}-`);
  const ended = await leftFolders(dataDir, isOurs);
  const running = await Promise.all(
    others.map(async (name) =>
      // The processes of another machine or container cannot be seen from here.
      isOwnFolder(name, isOurs) ? !ended.includes(name) : isRenewed(join(dataDir, name)),
    ),
  );
  if (running.includes(true))
    throw new OperatorError(`Another restore into ${dataDir} is running: wait for its end.`);
};

/**
 * Moves the parts one by one, since a data folder may be a volume, which cannot be replaced by a rename. The look-ups
 * are moved last: a vault without look-ups cannot be opened, so no service starts on an incomplete restore.
 */
const moveIn = async (made: string, dataDir: string, keys: readonly string[]): Promise<void> => {
  const lookUps = join('vault', 'look-ups');
  await rename(join(made, lookUps), join(made, 'look-ups'));
  for (const name of ['vault', 'log', ...keys]) await rename(join(made, name), join(dataDir, name));
  await syncFolder(dataDir);
  await rename(join(made, 'look-ups'), join(dataDir, lookUps));
  for (const path of ['log', 'vault', lookUps, join('vault', 'audio'), '.'])
    await syncFolder(join(dataDir, path));
};
