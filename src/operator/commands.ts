import { backupCommands } from './backup/command.js';
import { mailsCommands } from './backup/mails.js';
import { checksCommands } from './checks/command.js';
import type { Registration } from './cli/program.js';
import { clockCommands } from './clock.js';
import { copyEventsCommand } from './copy/command.js';
import { deadLettersCommands } from './dead-letters/command.js';
import { evaluationsCommands } from './evaluations/command.js';
import { evidenceCommands } from './evidence/command.js';
import { healthCommand } from './health/command.js';
import { organisationsCommands } from './organisations.js';
import { projectionsCommands } from './projections/command.js';
import { signInsCommands } from './sign-ins.js';
import { streamsCommands } from './streams/command.js';
import { tailEventsCommand } from './streams/tail.js';

/** All commands of `assay`, in the order of its help. */
export const registrations: readonly Registration[] = [
  healthCommand,
  projectionsCommands,
  deadLettersCommands,
  streamsCommands,
  copyEventsCommand,
  tailEventsCommand,
  evidenceCommands,
  backupCommands,
  evaluationsCommands,
  organisationsCommands,
  signInsCommands,
  mailsCommands,
  checksCommands,
  clockCommands,
];
