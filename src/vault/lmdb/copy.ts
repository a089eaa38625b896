import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder, privateStore } from '../../stores/lmdb/folder.js';
import { StoreUnusable } from '../../core/errors.js';
import { descriptionIn } from './data-key.js';
import { Environment } from './environment.js';
import { LookUpEnvironment } from './look-up-environment.js';
import { copyShards } from './key-shards.js';
import { eraseIn } from './tombstones.js';

const CHANGING =
  'DATA_KEY is being changed, so that the copy would be wrapped by two keys: start again once every process runs with the new one.';

/**
 * Copies a vault beside whoever works on it. The order makes the copy whole: a key that is erased meanwhile has its
 * tombstone before it goes, so keys come before tombstones; the mark of a begun erasure comes with the look-ups, last,
 * and what the copy still holds of anybody marked goes at the end.
 * @param folder the vault's, which this process has not open
 * @param target is made
 * @throws {StoreUnusable} it is damaged, or DATA_KEY is being changed
 * @throws Error of the system, where the target cannot be written
 */
export async function copyVault(folder: string, target: string): Promise<void> {
  const lookUps = await LookUpEnvironment.openIn(folder);
  const audio = Environment.openAudio(folder);
  try {
    const before = descriptionIn(lookUps);
    if (before?.former != null) throw new StoreUnusable(CHANGING);
    privateFolder(target);
    for (const kind of ['keys', 'erased'])
      if (existsSync(join(folder, kind))) await copyShards(join(folder, kind), join(target, kind));
    await copyEnvironment(audio, join(target, 'audio'));
    await copyEnvironment(lookUps, join(target, 'look-ups'));
    if (descriptionIn(lookUps)?.check !== before?.check) throw new StoreUnusable(CHANGING);
  } finally {
    await lookUps.close();
    await audio.close();
  }
  await eraseIn(target);
}

async function copyEnvironment(
  environment: { copyTo(target: string): Promise<void> },
  target: string,
): Promise<void> {
  privateFolder(target);
  await environment.copyTo(target);
  privateStore(target);
}
