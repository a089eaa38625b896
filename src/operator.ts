import { backupCommands } from './operator/backup/commands.js';
import { copyEventsCommand } from './operator/copy/command.js';
import { createOrganisationCommand } from './operator/create-organisation.js';
import { deadLettersCommands } from './operator/dead-letters/command.js';
import { tailEventsCommand } from './operator/events-tail/command.js';
import { healthCommand } from './operator/health/command.js';
import { goOnUnread } from './operator/output/unread.js';
import { program } from './operator/program.js';
import { projectionsCommands } from './operator/projections/command.js';
import { streamsCommands } from './operator/streams/command.js';

/** The operator's command: `npm run -s assay -- …`, beside a running service or without one. */
goOnUnread(process.stdout, process.stderr);
await program([
  healthCommand,
  projectionsCommands,
  deadLettersCommands,
  streamsCommands,
  copyEventsCommand,
  tailEventsCommand,
  backupCommands,
  createOrganisationCommand,
]).parseAsync();
