import { join, resolve } from 'node:path';
import { openEmbeddedLog } from '../../stores/lmdb/log/open.js';
import { answer, screenFor } from '../output/screen.js';
import { OperatorError } from '../program.js';
import { stoppable } from '../streams/stoppable.js';
import { type Backup, backUp } from './backup.js';
import { dataDirOf } from './folders.js';
import { BACKUP, recordIn } from './record.js';
import { restore } from './restore.js';
import { backupSummary, restoreSummary } from './summary.js';

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
      `The backup is made, but in the vault that it was made of the keys of ${keysMissing} of the people whom the log names are missing: their texts can be read by nobody. Look for them in older backups.`,
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
