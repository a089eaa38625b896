import { setPriority } from 'node:os';
import { BACKGROUND_PRIORITY } from './engine/live/throttle.js';

/** The operator's command: `npm run -s assay -- …`, beside a running service or without one. */
// Whoever answers requests comes first; what is to be loaded for a command alone is half a second's work.
setPriority(BACKGROUND_PRIORITY);

const [{ registrations }, { goOnUnread }, { carryOut, program }] = await Promise.all([
  import('./operator/commands.js'),
  import('./operator/cli/output.js'),
  import('./operator/cli/program.js'),
]);
goOnUnread(process.stdout, process.stderr);
await carryOut(() => program(registrations).parseAsync());
