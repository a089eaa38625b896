import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PersonId } from '../../core/vault/port.js';
import { WrappingKey } from '../wrapping.js';
import { AudioEntries } from './audio-entries.js';
import { Environment } from './environment.js';
import { LookUpEnvironment } from './look-up-environment.js';
import { KeyFiles } from './key-files.js';
import { ErasureMarks } from './erasure-marks.js';

/*
 * Erasures of a vault without its DATA_KEY: to destroy a key nobody needs to open it. A backup may be wrapped by a
 * former DATA_KEY, and who restores it need not hold any.
 */

/** The tombstones that lie in a vault as files. Every erasure leaves one; one that was cut off may yet have to. */
export const tombstoneFiles = (folder: string): Set<PersonId> => new Set(filesOf(folder).tombstones());

/** Everybody whose erasure was begun in a vault, however far it got. @throws {StoreUnusable} it is damaged */
export async function erasedIn(folder: string): Promise<Set<PersonId>> {
  const lookUps = await LookUpEnvironment.openIn(folder);
  try {
    return new Set([...tombstoneFiles(folder), ...new ErasureMarks(lookUps).erased()]);
  } finally {
    await lookUps.close();
  }
}

/** The people of a list who have neither a key nor a tombstone. */
export const unknownTo = (folder: string, people: Iterable<PersonId>): readonly PersonId[] => {
  const [keys, erased] = [new Set(filesOf(folder).persons()), tombstoneFiles(folder)];
  return [...people].filter((person) => !keys.has(person) && !erased.has(person));
};

/**
 * Goes through with the erasures of a vault's own and of everybody named: whatever of them is there goes, and the
 * tombstones stay. Again: the same, quickly.
 * @param folder of a vault that nobody else has open
 * @returns of how many of those named the vault had no tombstone before
 */
export async function eraseIn(folder: string, people: Iterable<PersonId> = []): Promise<number> {
  const files = filesOf(folder);
  files.prepare();
  const lookUps = await LookUpEnvironment.openIn(folder);
  const audio = Environment.openAudio(folder);
  try {
    const marks = new ErasureMarks(lookUps);
    const chunks = new AudioEntries(() => audio);
    const erase = async (person: PersonId): Promise<boolean> => {
      const known = files.isErased(person);
      if (!marks.isErased(person) || marks.isBeingErased(person)) await marks.begin(person);
      if (!files.isErased(person)) await files.entomb(person);
      await files.destroy(person);
      if (!chunks.isErased(person)) await chunks.erase(person);
      if (marks.isBeingErased(person)) await marks.end(person);
      return !known;
    };
    for (const person of new Set([...files.tombstones(), ...marks.erased()])) await erase(person);
    let erased = 0;
    for (const person of people) if (await erase(person)) erased++;
    return erased;
  } finally {
    await lookUps.close();
    await audio.close();
  }
}

/** Whether a folder holds a vault. */
export const isVault = (folder: string): boolean => existsSync(join(folder, 'look-ups', 'data.mdb'));

/** Nothing that is done here opens a key: one that opens none will do. */
const filesOf = (folder: string): KeyFiles => new KeyFiles(folder, new WrappingKey(randomBytes(32)));
