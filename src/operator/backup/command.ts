import type { Command } from 'commander';
import { join, resolve } from 'node:path';
import { ISSUER_FILE } from '../../process/secret-files.js';
import { dataDirOf } from '../cli/folders.js';
import { answer, screenFor } from '../cli/output.js';
import { OperatorError, stoppable } from '../cli/program.js';
import type { Backup } from './backup.js';
import { timeOf, preRestoreLine, preRestoreMailsOf } from './mails.js';
import type { Sealed } from './manifest.js';
import type { Restored } from './restore.js';

const BACKUP_HELP = `
Saves the log and the vault of DATA_DIR as of one moment, while the service keeps running. Views are not saved: they are
rebuilt from the log. FOLDER is made whole or not at all. A killed backup leaves a folder .unfinished-backup-… beside
it, which the next backup there removes.

data.key and signing.key are saved only with --with-keys. Anyone who has a backup and its data.key can read it; without
its data.key it can never be read. Keep keys apart from backups. A data.key that does not open the vault is refused.

The file of the development issuer (development-issuer.json) is saved if there is one: without it everybody who signs in
there is another person after a restore.

Examples:
  $ assay backup /backups/2026-03-01
  $ assay backup /backups/2026-03-01 --json | jq .sha256`;

const RESTORE_HELP = `
Makes a data folder from a backup, in DATA_DIR, which must be empty or not exist yet. The next start rebuilds the views;
it needs the DATA_KEY and SIGNING_KEY that the backup was made with. The file of the development issuer comes from the
backup, or else from NEWER.

Mails that were sent after the backup would be sent again: the restored log does not know of them. Say by
--mails-sent-until how far mails and notices have gone, such as when the service ended: what was due until then counts as sent.
Without it, what was due until the restore is held, until \`assay mails release\` or \`assay mails give-up\`.

People erased after the backup are erased in the restored folder too, if NEWER knows of it: the former data folder, or a
newer backup. With --accept-lost-erasures NEWER may be damaged: the erasures that can be read from it are applied.

Examples:
  $ DATA_DIR=./data assay restore /backups/2026-03-01 --tombstones ./data-of-yesterday
  $ DATA_DIR=./data assay restore /backups/2026-03-01 --accept-lost-erasures`;

/** `backup` and `restore`: save what cannot be rebuilt of a data folder, beside a running service, and restore it. */
export const backupCommands = (root: Command): void => {
  root
    .command('backup')
    .description('Save the log and the vault of a running service’s data folder.')
    .argument('<folder>', 'the target: a folder that does not exist yet')
    .option('--with-keys', 'save data.key and signing.key too')
    .option('--json', 'print one JSON object with what the backup holds and nothing else')
    .addHelpText('after', BACKUP_HELP)
    .action((folder: string, options: BackupArguments) => runBackup(resolve(folder), options));
  root
    .command('restore')
    .description('Make a data folder out of a backup.')
    .argument('<folder>', 'the backup')
    .option('--tombstones <newer>', 'the former data folder or a newer backup: its erasures are carried over')
    .option('--mails-sent-until <time>', 'mails and notices that were due until then count as sent', timeOf)
    .option('--accept-lost-erasures', 'restore even if people erased after the backup come back')
    .option('--json', 'print one JSON object with what was restored and nothing else')
    .addHelpText('after', RESTORE_HELP)
    .action((folder: string, options: RestoreArguments) => runRestore(resolve(folder), options));
};

// The embedded stores are imported when they are used: they would double the start time of all commands.

interface BackupArguments {
  readonly withKeys?: true;
  readonly json?: true;
}

interface RestoreArguments {
  readonly tombstones?: string;
  readonly acceptLostErasures?: true;
  readonly mailsSentUntil?: string;
  readonly json?: true;
}

const runBackup = async (folder: string, { withKeys, json }: BackupArguments): Promise<void> => {
  const { backUp, recordBackup } = await import('./backup.js');
  const dataDir = dataDirOf(process.env);
  const { say } = screenFor(json);
  const backup = await stoppable((signal) =>
    backUp(dataDir, folder, { withKeys: withKeys === true, signal, say }),
  );
  const { manifest, sha256, keys, withIssuer, otherSigningKey, keysMissing } = backup;
  const { madeAt, logId, head, events, people, erased, bytes } = manifest;
  const content = { madeAt, logId, head, events, people, erased, bytes };
  answer(json, { folder, ...content, sha256, keys, withIssuer, otherSigningKey, keysMissing }, () =>
    backupSummary(folder, dataDir, backup),
  );
  await recordBackup(dataDir, backup);
  if (keysMissing > 0)
    throw new OperatorError(
      `The backup is made, but the vault lacks the keys of ${keysMissing} people of the log, so their texts cannot be read. Look for the keys in older backups.`,
    );
};

const runRestore = async (
  folder: string,
  { tombstones, acceptLostErasures, mailsSentUntil, json }: RestoreArguments,
): Promise<void> => {
  const { restore } = await import('./restore.js');
  const dataDir = dataDirOf(process.env);
  const newer = tombstones === undefined ? null : resolve(tombstones);
  const acceptLost = acceptLostErasures === true;
  const { say } = screenFor(json);
  const preRestoreMails = preRestoreMailsOf(mailsSentUntil);
  const restored = await stoppable((signal) =>
    restore(folder, dataDir, { newer, acceptLost, preRestoreMails, signal, say }),
  );
  const { manifest, sha256, ...rest } = restored;
  const { madeAt, logId, head, events, people, erased } = manifest;
  answer(
    json,
    {
      folder,
      dataDir,
      newer,
      sha256,
      madeAt,
      logId,
      head,
      events,
      people,
      erased,
      ...rest,
      mails: preRestoreMails,
    },
    () => [...restoreSummary(dataDir, restored), preRestoreLine(preRestoreMails)],
  );
};

const contentLines = ({ manifest: { events, head, people, erased }, sha256 }: Sealed): readonly string[] => [
  `  events         ${events}${events > 0 ? `, to position ${head}` : ''}`,
  `  people’s keys  ${people}, and ${erased} tombstones of erased people`,
  `  sha256         ${sha256}`,
];

/** The content of a backup, in lines. */
const backupSummary = (folder: string, dataDir: string, backup: Backup): readonly string[] => {
  return [
    `Saved in ${folder}: ${backup.manifest.bytes} bytes`,
    ...contentLines(backup),
    keysOf(dataDir, backup.keys),
    ...(backup.otherSigningKey
      ? [
          'signing.key did not sign the last result of the log. Keep the SIGNING_KEY that did in another safe place.',
        ]
      : []),
    ...(backup.withIssuer
      ? [`It holds ${ISSUER_FILE}: the sign-ins of the development issuer stay the same people.`]
      : []),
  ];
};

/** A line about the keys. It contains no key. */
const keysOf = (dataDir: string, keys: readonly string[]): string =>
  keys.includes('data.key')
    ? `It holds ${keys.join(' and ')} too: anyone with access to it can read everything in it.`
    : `It holds ${keys.length > 0 ? 'signing.key, but not DATA_KEY' : 'no key'}, and without DATA_KEY its personal texts can never be read. Keep DATA_KEY and SIGNING_KEY (if not set: ${join(dataDir, 'data.key')} and signing.key) in another safe place.`;

/** What was restored and the next steps, in lines. */
const restoreSummary = (dataDir: string, restored: Restored): readonly string[] => {
  const { manifest, erasures, withKeys, issuer, staleKey } = restored;
  return [
    `Restored into ${dataDir}, as of ${manifest.madeAt}:`,
    ...contentLines(restored),
    erasures
      ? `Applied erasures made after the backup: ${erasures.people} people; ${erasures.events} erasures were added to the log.`
      : 'No later erasure was applied: people erased after the backup are readable again.',
    ...(erasures?.complete === false
      ? ['Not every erasure could be read: some of those people may be readable again.']
      : []),
    ...(issuer === null
      ? []
      : [
          `${ISSUER_FILE} is restored from ${issuer}: the sign-ins of the development issuer stay the same people.`,
        ]),
    ...(staleKey
      ? [
          `The backup’s data.key does not open its vault, and is not restored: set DATA_KEY to the key that the service had in its environment.`,
        ]
      : []),
    withKeys
      ? 'The key files of the backup are restored too.'
      : `Before the first start set DATA_KEY and SIGNING_KEY to the keys that the backup was made with, or put data.key and signing.key into ${dataDir}.`,
    'The next start rebuilds the views.',
  ];
};
