import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnusable } from '../../core/errors.js';
import type { PersonId } from '../../core/vault/port.js';
import { makePrivateFolder, makeStorePrivate } from '../../stores/lmdb/folder.js';
import { WrappingKey } from '../data-key.js';
import { ChunkErasures } from './chunk-entries.js';
import { descriptionIn } from './data-key.js';
import { type Access, Environment, type KeyPart } from './environment.js';
import { KeyFiles } from './key-files.js';
import { copyShards } from './key-shards.js';
import { EmbeddedKeys, ErasureMarks } from './keys.js';
import { LookUpEnvironment } from './look-up-environment.js';

/*
 * The steps of `assay backup` and `assay restore` for the folder of an embedded vault: `copyVault` makes the backup's
 * copy, `unknownTo` finds persons of the log whose keys it lacks, `erasedIn` or `tombstoneFiles` lists the persons
 * erased since in a newer folder, and `eraseIn` erases them in the restored copy. None of these opens a person's key,
 * so none needs DATA_KEY: a backup may be wrapped by a former one, and a restore may have none. `isOpenedBy` tests a
 * DATA_KEY.
 */

const CHANGING =
  'DATA_KEY is being changed, so that the copy would be wrapped by two keys: start again once every process runs with the new one.';

/**
 * Copies a vault while other processes use it. The order makes the copy complete: an erasure makes the tombstone before
 * it removes the key, so keys are copied before tombstones. Marks of begun erasures are copied last, with the look-ups;
 * at the end, the copy's entries of marked persons are erased.
 * @param folder the vault's, which this process does not have open
 * @param target is made
 * @throws {StoreUnusable} it is damaged, or DATA_KEY is being changed
 * @throws Error of the system, if the target cannot be written
 */
export async function copyVault(folder: string, target: string): Promise<void> {
  await withEnvironments(folder, TO_READ, async (lookUps, chunks) => {
    const before = descriptionIn(lookUps);
    if (before?.former != null) throw new StoreUnusable(CHANGING);
    makePrivateFolder(target);
    for (const kind of ['keys', 'erased'])
      if (existsSync(join(folder, kind))) await copyShards(join(folder, kind), join(target, kind));
    await copyEnvironment(chunks, join(target, 'audio'));
    await copyEnvironment(lookUps, join(target, 'look-ups'));
    if (descriptionIn(lookUps)?.check !== before?.check) throw new StoreUnusable(CHANGING);
  });
  await eraseIn(target);
}

/** For a vault that may be on a read-only medium, and in which nothing is to be made or changed. */
const TO_READ: Access = { readOnly: true };

/** Runs `work` on the environments of a vault. Closes what was opened, even if only the first one opens. */
async function withEnvironments<T>(
  folder: string,
  access: Access,
  work: (lookUps: LookUpEnvironment, chunks: Environment<Buffer, KeyPart>) => Promise<T>,
): Promise<T> {
  const lookUps = await LookUpEnvironment.openIn(folder, access);
  let chunks: Environment<Buffer, KeyPart> | null = null;
  try {
    chunks = Environment.openChunks(folder, access);
    return await work(lookUps, chunks);
  } finally {
    await lookUps.close();
    await chunks?.close();
  }
}

async function copyEnvironment(
  environment: { copyTo(target: string): Promise<void> },
  target: string,
): Promise<void> {
  makePrivateFolder(target);
  await environment.copyTo(target);
  makeStorePrivate(target);
}

/**
 * Completes a vault's own erasures and erases the given persons: removes their entries and leaves tombstones.
 * Idempotent.
 * @param folder the folder of a vault that no other process has open
 * @returns for how many of the given persons the vault had no tombstone before
 */
export async function eraseIn(folder: string, people: Iterable<PersonId> = []): Promise<number> {
  const files = filesOf(folder);
  files.prepare();
  return withEnvironments(folder, {}, async (lookUps, chunks) => {
    const keys = new EmbeddedKeys(lookUps, files, new ChunkErasures(() => chunks));
    for await (const person of keys.erased()) await keys.erase(person);
    let erased = 0;
    for (const person of people) {
      if (!files.isErased(person)) erased++;
      await keys.erase(person);
    }
    return erased;
  });
}

/** The persons with a tombstone file. An interrupted erasure may have made none yet: see `erasedIn`. */
export const tombstoneFiles = (folder: string): Set<PersonId> => new Set(filesOf(folder).tombstones());

/** Every person whose erasure was begun in a vault, complete or not. @throws {StoreUnusable} it is damaged */
export async function erasedIn(folder: string): Promise<Set<PersonId>> {
  const lookUps = await LookUpEnvironment.openIn(folder, TO_READ);
  try {
    return new Set([...tombstoneFiles(folder), ...new ErasureMarks(lookUps).erased()]);
  } finally {
    await lookUps.close();
  }
}

/** Whether a DATA_KEY opens a vault; `null`: nothing was ever stored there. @throws {StoreUnusable} it is damaged */
export async function isOpenedBy(folder: string, dataKey: Buffer): Promise<boolean | null> {
  const lookUps = await LookUpEnvironment.openIn(folder, TO_READ);
  try {
    const described = descriptionIn(lookUps);
    return described ? described.check === new WrappingKey(dataKey).check : null;
  } finally {
    await lookUps.close();
  }
}

/** Those of the given persons that have neither a key nor a tombstone in a vault. */
export const unknownTo = (folder: string, people: Iterable<PersonId>): readonly PersonId[] => {
  const [keys, erased] = [new Set(filesOf(folder).persons()), tombstoneFiles(folder)];
  return [...people].filter((person) => !keys.has(person) && !erased.has(person));
};

/** The wrapping key is random: nothing here opens or makes a person's key. */
const filesOf = (folder: string): KeyFiles => new KeyFiles(folder, new WrappingKey(randomBytes(32)));
