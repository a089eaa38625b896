import type { Command } from 'commander';
import { resolve } from 'node:path';
import { carryOut } from '../cli/program.js';
import type { BackupArguments, RestoreArguments } from './run.js';

// The embedded stores are loaded where they are used.
const run = () => import('./run.js');

const BACKUP_HELP = `
Saves the log and the vault of DATA_DIR, as they stand at one moment, beside a service that goes on working. Views are
not saved: they are rebuilt from the log. FOLDER is made, whole or not at all; what a killed backup leaves behind is
called .unfinished-backup-… beside it, and may be removed.

data.key and signing.key are not saved unless --with-keys says so: a backup with data.key can be read by whoever holds
it, and one whose data.key is lost by nobody. Keep them apart from the backups.

Examples:
  $ assay backup /backups/2026-03-01
  $ assay backup /backups/2026-03-01 --json | jq .sha256`;

const RESTORE_HELP = `
Makes a data folder out of a backup, in DATA_DIR, which must be empty or not there yet. The next start rebuilds the
views; it needs the DATA_KEY and SIGNING_KEY that the backup was made with.

Whoever was erased after the backup is erased in what is restored too, as far as NEWER knows: the former data folder,
or a newer backup. With --accept-lost-erasures as well, a damaged one will do, and what can be read of it is taken.

Examples:
  $ DATA_DIR=./data assay restore /backups/2026-03-01 --tombstones ./data-of-yesterday
  $ DATA_DIR=./data assay restore /backups/2026-03-01 --accept-lost-erasures`;

/** `backup` and `restore`: what of a data folder cannot be rebuilt, saved beside a running service and put back. */
export const backupCommands = (root: Command): void => {
  root
    .command('backup')
    .description('Save the log and the vault of a running service’s data folder.')
    .argument('<folder>', 'where to: a folder that is not there yet')
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
    .option('--accept-lost-erasures', 'restore even where people come back who were erased after the backup')
    .option('--json', 'print one JSON object with what was restored and nothing else')
    .addHelpText('after', RESTORE_HELP)
    .action((folder: string, options: RestoreArguments) =>
      carryOut(async () => (await run()).runRestore(resolve(folder), options)),
    );
};
