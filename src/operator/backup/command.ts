import type { Command } from 'commander';
import { resolve } from 'node:path';
import { carryOut } from '../cli/program.js';
import type { BackupArguments, RestoreArguments } from './run.js';

// The embedded stores are loaded where they are used.
const run = () => import('./run.js');

const BACKUP_HELP = `
Saves the log and the vault of DATA_DIR as of one moment, while the service keeps running. Views are not saved: they are
rebuilt from the log. FOLDER is made whole or not at all. A killed backup leaves a folder .unfinished-backup-… beside
it, which you may remove.

data.key and signing.key are saved only with --with-keys. Anyone who has a backup and its data.key can read it; without
its data.key it can never be read. Keep keys apart from backups.

Examples:
  $ assay backup /backups/2026-03-01
  $ assay backup /backups/2026-03-01 --json | jq .sha256`;

const RESTORE_HELP = `
Makes a data folder from a backup, in DATA_DIR, which must be empty or not exist yet. The next start rebuilds the views;
it needs the DATA_KEY and SIGNING_KEY that the backup was made with.

People erased after the backup are erased in the restored folder too, if NEWER knows of it: the former data folder, or a
newer backup. With --accept-lost-erasures NEWER may be damaged: the erasures that can be read from it are applied.

Examples:
  $ DATA_DIR=./data assay restore /backups/2026-03-01 --tombstones ./data-of-yesterday
  $ DATA_DIR=./data assay restore /backups/2026-03-01 --accept-lost-erasures`;

/** `backup` and `restore`: what of a data folder cannot be rebuilt, saved beside a running service and put back. */
export const backupCommands = (root: Command): void => {
  root
    .command('backup')
    .description('Save the log and the vault of a running service’s data folder.')
    .argument('<folder>', 'the target: a folder that does not exist yet')
    .option('--with-keys', 'save data.key and signing.key too')
    .option('--json', 'print one JSON object with what the backup holds and nothing else')
    .addHelpText('after', BACKUP_HELP)
    .action((folder: string, options: BackupArguments) =>
      carryOut(async () => (await run()).runBackup(resolve(folder), options)),
    );
  root
    .command('restore')
    .description('Make a data folder out of a backup.')
    .argument('<folder>', 'the backup')
    .option('--tombstones <newer>', 'the former data folder or a newer backup: its erasures are carried over')
    .option('--accept-lost-erasures', 'restore even if people erased after the backup come back')
    .option('--json', 'print one JSON object with what was restored and nothing else')
    .addHelpText('after', RESTORE_HELP)
    .action((folder: string, options: RestoreArguments) =>
      carryOut(async () => (await run()).runRestore(resolve(folder), options)),
    );
};
