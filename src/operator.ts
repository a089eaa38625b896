import { registrations } from './operator/commands.js';
import { goOnUnread } from './operator/output/unread.js';
import { program } from './operator/program.js';

/** The operator's command: `npm run -s assay -- …`, beside a running service or without one. */
goOnUnread(process.stdout, process.stderr);
await program(registrations).parseAsync();
