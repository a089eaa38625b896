import { join, resolve } from 'node:path';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import { answer, screenFor } from '../cli/output.js';
import { OperatorError, stoppable } from '../cli/program.js';
import { type Backup, backUp } from './backup.js';
import { dataDirOf } from './folders.js';
import { BACKUP, recordIn } from './record.js';
import { restore, type Restored } from './restore.js';

export interface BackupArguments {
  readonly withKeys?: true;
  readonly json?: true;
}

export interface RestoreArguments {
  readonly tombstones?: string;
  readonly acceptLostErasures?: true;
  readonly json?: true;
}

export const runBackup = async (folder: string, { withKeys, json }: BackupArguments): Promise<void> => {
  const dataDir = dataDirOf(process.env);
  const screen = screenFor(json === true);
  const backup = await stoppable((signal) =>
    backUp(dataDir, folder, { withKeys: withKeys === true, signal, say: (line) => screen.say(line) }),
  );
  const { manifest, sha256, keys, keysMissing } = backup;
  const { madeAt, logId, head, events, people, erased, bytes } = manifest;
  const content = { madeAt, logId, head, events, people, erased, bytes };
  answer(json === true, { folder, ...content, sha256, keys, keysMissing }, () =>
    backupSummary(folder, dataDir, backup).join('\n'),
  );
  await record(dataDir, backup);
  if (keysMissing > 0)
    throw new OperatorError(
      `The backup is made, but in the vault that it was made of the keys of ${keysMissing} of the people whom the log names are missing: their texts cannot be read. Look for the keys in older backups.`,
    );
};

/** Also where the disk of the log is full by now: the backup stands. */
const record = async (dataDir: string, { manifest, sha256, keys }: Backup): Promise<void> => {
  const { madeAt, head, events, people, erased, bytes } = manifest;
  try {
    const log = await openEmbeddedLog(join(dataDir, 'log'));
    try {
      const withKeys = keys.length > 0;
      await recordIn(log, BACKUP, { sha256, madeAt, head, events, people, erased, bytes, withKeys });
    } finally {
      await log.close();
    }
  } catch (error) {
    throw new OperatorError(
      `The backup is made, but that could not be written into the operator’s stream (${(error as Error).message}).`,
      { cause: error },
    );
  }
};

export const runRestore = async (
  folder: string,
  { tombstones, acceptLostErasures, json }: RestoreArguments,
): Promise<void> => {
  const dataDir = dataDirOf(process.env);
  const newer = tombstones === undefined ? null : resolve(tombstones);
  const acceptLost = acceptLostErasures === true;
  const screen = screenFor(json === true);
  const restored = await stoppable((signal) =>
    restore(folder, dataDir, { newer, acceptLost, signal, say: (line) => screen.say(line) }),
  );
  const { manifest, sha256, ...rest } = restored;
  const { madeAt, logId, head, events, people, erased } = manifest;
  answer(
    json === true,
    { folder, dataDir, newer, sha256, madeAt, logId, head, events, people, erased, ...rest },
    () => restoreSummary(dataDir, restored).join('\n'),
  );
};

/** What a backup holds, in lines for the screen. */
const backupSummary = (folder: string, dataDir: string, backup: Backup): readonly string[] => {
  const { head, events, people, erased, bytes } = backup.manifest;
  return [
    `Saved in ${folder}: ${bytes} bytes`,
    `  events         ${events}${events > 0 ? `, to position ${head}` : ''}`,
    `  people’s keys  ${people}, and ${erased} tombstones of people who were erased`,
    `  sha256         ${backup.sha256}`,
    keysOf(dataDir, backup.keys),
  ];
};

/** Names keys, and never shows one. */
const keysOf = (dataDir: string, keys: readonly string[]): string =>
  keys.length > 0
    ? `It holds ${keys.join(' and ')} too: anyone with access to it can read everything in it.`
    : `It holds no key. Without DATA_KEY its personal texts can never be read. Keep DATA_KEY and SIGNING_KEY (${join(dataDir, 'data.key')} and signing.key, unless they are set) in a safe place apart from it.`;

/** What was restored and what is to be done now, in lines for the screen. */
const restoreSummary = (dataDir: string, restored: Restored): readonly string[] => {
  const { manifest, sha256, erasures, withKeys } = restored;
  const { events, head, people, erased, madeAt } = manifest;
  return [
    `Restored into ${dataDir}, as of ${madeAt}:`,
    `  events         ${events}${events > 0 ? `, to position ${head}` : ''}`,
    `  people’s keys  ${people}, and ${erased} tombstones of people who were erased`,
    `  sha256         ${sha256}`,
    erasures
      ? `Erased after the backup, and here too: ${erasures.people} people; ${erasures.events} erasures were added to the log.`
      : 'No erasure was carried over: people erased after the backup are in it again.',
    ...(erasures?.complete === false
      ? ['Not every erasure could be read: some of those people may be in it again.']
      : []),
    withKeys
      ? 'The keys from the backup are there too.'
      : `Before the first start set DATA_KEY and SIGNING_KEY to the keys of that time, or put data.key and signing.key into ${dataDir}.`,
    'The next start rebuilds the views.',
  ];
};
