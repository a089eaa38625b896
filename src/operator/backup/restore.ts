import { rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../app/make-folder.js';
import { openEmbeddedLog } from '../../event-store/embedded/open.js';
import { syncFolder } from '../../vault/embedded/durable-files.js';
import { eraseIn } from '../../vault/embedded/tombstones.js';
import { OperatorError } from '../program.js';
import { contentOf } from './content.js';
import { carryErasures } from './erasure-events.js';
import { assertWanted, makeIn, namesIn, removeLocks, unfinishedName } from './folders.js';
import { damagedBackup, readManifest, type Sealed } from './manifest.js';
import { type Erasures, erasuresOf } from './newer.js';
import { copyPart, isSame, KEY_FILES, measure } from './parts.js';
import { recordIn } from './record.js';

export interface RestoreOptions {
  /** The former data folder or a newer backup; `null`: there is none. */
  readonly newer: string | null;
  readonly acceptLost: boolean;
  readonly signal: AbortSignal;
  /** Hears what is being done, in lines for the screen. */
  readonly say: (line: string) => void;
}

export interface Restored extends Sealed {
  /** How many people were erased who were not in the backup. */
  readonly erasedSince: number;
  /** How many erasures' events were appended that the backup's log lacked. */
  readonly erasureEvents: number;
  /** Whether keys lay in the backup, and lie in the data folder now. */
  readonly withKeys: boolean;
}

const NO_TOMBSTONES =
  'Whoever was erased after this backup would be in it again, and readable. Name with --tombstones the former data folder or a newer backup, whose tombstones then win; or say with --accept-lost-erasures that there is neither, and erase those people again yourself.';

const NO_ERASURES: Erasures = { people: new Set(), events: null };

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
  if (newer === null && !acceptLost) throw new OperatorError(NO_TOMBSTONES);
  const { manifest, sha256 } = await readManifest(folder);
  const begun = namesIn(dataDir);
  await assertEmpty(dataDir, begun ?? []);
  const erasures =
    newer === null ? NO_ERASURES : await erasuresOf(newer, { backup: folder, manifest, acceptLost });
  await makeFolder(dataDir);
  try {
    return await makeIn(dataDir, unfinishedName('restore', dataDir), async (made) => {
      say('Copying log and vault.');
      for (const part of manifest.parts) {
        assertWanted(signal);
        await copyPart(folder, made, part.path);
        if (!isSame(part, await measure(made, part.path))) throw damagedBackup(folder, part.path);
      }
      say('Reading the copy.');
      const { logId, head, events } = await contentOf(made);
      if (logId !== manifest.logId || head !== manifest.head || events !== manifest.events)
        throw damagedBackup(folder, 'log/data.mdb');
      assertWanted(signal);
      say('Erasing whoever was erased since.');
      const erasedSince = await eraseIn(join(made, 'vault'), erasures.people);
      const log = await openEmbeddedLog(join(made, 'log'));
      let erasureEvents: number;
      try {
        erasureEvents = await carryErasures(log, erasures.events ?? []);
        await recordIn(log, 'restore', {
          backup: sha256,
          madeAt: manifest.madeAt,
          events,
          erasedSince,
          erasureEvents,
          lostErasuresAccepted: erasures.events === null,
        });
      } finally {
        await log.close();
      }
      removeLocks(made);
      const keys = KEY_FILES.filter((name) => manifest.parts.some(({ path }) => path === name));
      assertWanted(signal);
      await moveIn(made, dataDir, keys);
      return { manifest, sha256, erasedSince, erasureEvents, withKeys: keys.length > 0 };
    });
  } catch (error) {
    // Only where it is empty still.
    if (begun === null) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
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
  await syncFolder(dirname(dataDir));
};

/** Takes away what a killed restore has left. @throws {OperatorError} something else lies there */
const assertEmpty = async (dataDir: string, names: readonly string[]): Promise<void> => {
  const left = names.filter((name) => name.startsWith(unfinishedName('restore', dataDir)));
  if (left.length < names.length)
    throw new OperatorError(
      `DATA_DIR, ${dataDir}, is not empty: a backup is restored into an empty folder or one that is not there yet. Move aside what lies there, and name it with --tombstones where it is the former data folder.`,
    );
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true });
};
