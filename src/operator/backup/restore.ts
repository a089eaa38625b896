import { rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../process/make-folder.js';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import type { EventStore } from '../../core/event-store.js';
import { eraseIn } from '../../vault/lmdb/backup.js';
import { hasCode } from '../../core/errors.js';
import type { Details } from '../../domain/operations/events.js';
import { CalledWrongly, OperatorError } from '../cli/program.js';
import { contentOf } from './content.js';
import { carryErasures, type Erasures, erasuresOf } from './erasures.js';
import { assertWanted, makeIn, removeLocks, unfinishedName } from './folders.js';
import {
  copyPart,
  damagedBackup,
  isSame,
  KEY_FILES,
  measure,
  type Part,
  readManifest,
  type Sealed,
} from './manifest.js';
import { recordIn } from './record.js';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { syncFolder } from '../../vault/lmdb/durable-files.js';

interface RestoreOptions {
  /** The former data folder or a newer backup; `null`: there is none. */
  readonly newer: string | null;
  readonly acceptLost: boolean;
  readonly signal: AbortSignal;
  /** Hears what is being done, in lines for the screen. */
  readonly say: (line: string) => void;
}

export interface Restored extends Sealed {
  /** What was carried over; `null`: nothing, as no newer folder was named. */
  readonly erasures: {
    /** People whose erasure the backup did not know. */
    readonly people: number;
    /** Events of erasures that its log lacked. */
    readonly events: number;
    /** Whether the newer folder could be read as a whole. */
    readonly complete: boolean;
  } | null;
  /** Whether keys lay in the backup, and lie in the data folder now. */
  readonly withKeys: boolean;
}

const NO_TOMBSTONES =
  'People erased after this backup would be in it again, and readable. Pass --tombstones with the former data folder or a newer backup: its erasures are applied. If there is neither, pass --accept-lost-erasures and erase those people again yourself.';

/**
 * Makes a data folder out of a backup. Everybody whose erasure is known is erased in it before it is one.
 * @param dataDir not there, or empty
 * @throws {OperatorError | StoreUnusable} in a sentence why nothing was restored
 */
export const restore = async (
  folder: string,
  dataDir: string,
  options: RestoreOptions,
): Promise<Restored> => {
  const { newer, acceptLost, signal, say } = options;
  if (newer === null && !acceptLost) throw new CalledWrongly(NO_TOMBSTONES);
  const { manifest, sha256 } = await readManifest(folder);
  const isThere = await emptied(dataDir);
  const known = newer === null ? null : await erasuresOf(newer, { backup: folder, manifest, acceptLost });
  await makeFolder(dataDir);
  try {
    return await makeIn(dataDir, unfinishedName('restore', dataDir), async (made) => {
      say('Copying log and vault.');
      for (const part of manifest.parts) {
        assertWanted(signal);
        await copyWhole(folder, made, part);
      }
      say('Reading the copy.');
      const { logId, head, events } = await contentOf(made);
      if (logId !== manifest.logId || head !== manifest.head || events !== manifest.events)
        throw damagedBackup(folder, 'log/data.mdb');
      assertWanted(signal);
      const erasures = known && (await carryOver(made, known, say));
      await inLog(made, (log) =>
        recordIn(log, 'restore', { backup: sha256, madeAt: manifest.madeAt, events, ...detailsOf(erasures) }),
      );
      removeLocks(made);
      const keys = KEY_FILES.filter((name) => manifest.parts.some(({ path }) => path === name));
      assertWanted(signal);
      await moveIn(made, dataDir, keys);
      return { manifest, sha256, erasures, withKeys: keys.length > 0 };
    });
  } catch (error) {
    // Only where it is empty still.
    if (!isThere) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
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

/** Erases in a data folder everybody whose erasure is known, and adds what its log lacks of that. */
const carryOver = async (
  folder: string,
  known: Erasures,
  say: (line: string) => void,
): Promise<NonNullable<Restored['erasures']>> => {
  say('Erasing people who were erased since.');
  const people = await eraseIn(join(folder, 'vault'), known.people);
  const events = await inLog(folder, (log) => carryErasures(log, known.events));
  return { people, events, complete: known.complete };
};

const detailsOf = (erasures: Restored['erasures']): Details => ({
  erasedPeople: erasures?.people ?? 0,
  erasureEvents: erasures?.events ?? 0,
  lostErasuresAccepted: erasures?.complete !== true,
});

const inLog = async <T>(folder: string, work: (log: EventStore) => Promise<T>): Promise<T> => {
  const log = await openEmbeddedLog(join(folder, 'log'));
  try {
    return await work(log);
  } finally {
    await log.close();
  }
};

/**
 * Takes away what a killed restore has left in a folder.
 * @returns whether the folder is there
 * @throws {OperatorError} something else lies in it
 */
const emptied = async (dataDir: string): Promise<boolean> => {
  if (!existsSync(dataDir)) return false;
  if (!statSync(dataDir).isDirectory()) throw new OperatorError(`DATA_DIR, ${dataDir}, is no folder.`);
  // A volume's own folder says nothing.
  const names = readdirSync(dataDir).filter((name) => name !== 'lost+found');
  const left = names.filter((name) => name.startsWith(unfinishedName('restore', dataDir)));
  if (left.length < names.length)
    throw new OperatorError(
      `DATA_DIR, ${dataDir}, is not empty: a backup is restored into an empty folder or one that is not there yet. Move its content aside; if it is the former data folder, name it with --tombstones.`,
    );
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true });
  return true;
};

/**
 * A data folder may be a volume, over which no other can be renamed. So its parts are, and the look-ups last: a vault
 * with keys and without look-ups is opened by nobody, so a restore that is cut off here starts no service.
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
