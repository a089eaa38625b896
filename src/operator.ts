import { lowerPriority } from './core/concurrency.js';
import { BACKGROUND_PRIORITY } from './engine/live/throttle.js';

/** The operator's command: `npm run -s assay -- …`, beside a running service or without one. */
// Processes that answer requests have priority: only loading a command takes half a second of processor time.
lowerPriority(BACKGROUND_PRIORITY);

const [{ registrations }, { continueUnread }, { carryOut, program }] = await Promise.all([
  import('./operator/commands.js'),
  import('./operator/cli/output.js'),
  import('./operator/cli/program.js'),
]);
continueUnread(process.stdout, process.stderr);
await carryOut(() => program(registrations).parseAsync());
