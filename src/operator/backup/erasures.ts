import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode, StoreUnusable } from '../../core/errors.js';
import type { EventStore, RecordedEvent, Revision } from '../../core/event-store.js';
import type { PersonId } from '../../core/vault/port.js';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import { erasedIn, tombstoneFiles } from '../../vault/lmdb/backup.js';
import { isVault } from '../../vault/lmdb/environment.js';
import { assertDataFolder, isSameFolder, removeLocks } from '../cli/folders.js';
import { OperatorError } from '../cli/program.js';
import { closing } from '../cli/stores.js';
import { damagedBackup, isSame, type Manifest, MANIFEST, measure, readManifest } from './manifest.js';

/** The erasures in a backup's former data folder, or in a newer backup. */
export interface Erasures {
  readonly people: ReadonlySet<PersonId>;
  readonly events: readonly RecordedEvent[];
  /** False: some could not be read, and the operator has accepted that. */
  readonly complete: boolean;
}

interface NewerOptions {
  readonly backup: string;
  readonly manifest: Manifest;
  /** Accept it if the folder's log or look-ups cannot be read. */
  readonly acceptLost: boolean;
}

/**
 * Reads all erasures in a folder.
 * @throws {OperatorError} the folder is of another log, older than the backup, the backup itself, or damaged
 */
export const erasuresOf = async (newer: string, options: NewerOptions): Promise<Erasures> => {
  if (isSameFolder(newer, options.backup))
    throw new OperatorError(
      `${newer} is the backup itself: it holds no later erasure. Name the former data folder or a newer backup.`,
    );
  return existsSync(join(newer, MANIFEST)) ? ofBackup(newer, options) : ofDataFolder(newer, options);
};

const ofBackup = async (newer: string, options: NewerOptions): Promise<Erasures> => {
  const { manifest } = await readManifest(newer);
  for (const part of manifest.parts) {
    if (part.path !== 'log/data.mdb' && part.path !== 'vault/erased') continue;
    if (!isSame(part, await measure(newer, part.path))) throw damagedBackup(newer, part.path);
  }
  try {
    const events = await eventsOf(newer, options);
    return { people: tombstoneFiles(join(newer, 'vault')), events, complete: true };
  } finally {
    removeMadeLocks(newer);
  }
};

/** Removes the lock files that reading has made. On a read-only medium it has made none. */
const removeMadeLocks = (newer: string): void => {
  try {
    removeLocks(newer);
  } catch (error) {
    if (!hasCode(error, 'EROFS') && !hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) throw error;
  }
};

const ofDataFolder = async (newer: string, options: NewerOptions): Promise<Erasures> => {
  const vault = join(newer, 'vault');
  if (!options.acceptLost || !isVault(vault)) assertDataFolder(newer);
  const events = await orAccepted(newer, options, () => eventsOf(newer, options));
  const people = await orAccepted(newer, options, () => erasedIn(vault));
  return {
    people: people ?? tombstoneFiles(vault),
    events: events ?? [],
    complete: events !== null && people !== null,
  };
};

const eventsOf = (newer: string, { backup, manifest }: NewerOptions): Promise<readonly RecordedEvent[]> =>
  closing(openEmbeddedLog(join(newer, 'log'), { readOnly: true }), async (log) => {
    if (log.logId !== manifest.logId)
      throw new OperatorError(
        `${newer} holds another log (${log.logId}) than the backup in ${backup} (${manifest.logId}): its erasures are of other people.`,
      );
    if ((await log.head()) < manifest.head)
      throw new OperatorError(
        `${newer} is older than the backup in ${backup}: it holds no later erasure. Name the former data folder or a newer backup.`,
      );
    return erasuresIn(log);
  });

/** Returns what was read; `null`: it is damaged, and the operator has accepted that. */
const orAccepted = async <T>(
  newer: string,
  { acceptLost }: NewerOptions,
  read: () => Promise<T>,
): Promise<T | null> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
    if (acceptLost) return null;
    throw new OperatorError(
      `Not every erasure in ${newer} can be read (${error.message}) Name a newer backup, or add --accept-lost-erasures to apply only those that can be read.`,
      { cause: error },
    );
  }
};

/**
 * Types of the events that record an erasure in the person's own stream. The ones that a restored log lacks are
 * appended unchanged. The events that follow an erasure in other streams (sessions, evaluations) are not copied, since
 * each is chained to the event before it, which a restored log may lack: the reactor appends them again.
 */
const ERASURE_TYPES: ReadonlySet<string> = new Set(['candidate.erased']);

/** All erasures in a log, in its order. */
const erasuresIn = async (log: Pick<EventStore, 'readAll'>): Promise<readonly RecordedEvent[]> => {
  const erasures: RecordedEvent[] = [];
  for await (const event of log.readAll()) if (ERASURE_TYPES.has(event.type)) erasures.push(event);
  return erasures;
};

/**
 * Appends the erasures that a log lacks, each at the end of its stream. If there is no such stream, the erasure is left
 * out: the log contains nothing about the person.
 * @returns how many were appended
 */
export const carryErasures = async (log: EventStore, erasures: readonly RecordedEvent[]): Promise<number> => {
  let appended = 0;
  for (const { stream, id, type, data, metadata } of erasures) {
    let last: Revision | null = null;
    let known = false;
    for await (const event of log.readStream(stream)) {
      last = event.revision;
      known ||= event.id === id;
    }
    if (last === null || known) continue;
    const outcome = await log.append(stream, last, [{ id, type, data, metadata }]);
    if (outcome.kind === 'conflict')
      throw new OperatorError('Another process writes to the folder that is being restored.');
    appended++;
  }
  return appended;
};
