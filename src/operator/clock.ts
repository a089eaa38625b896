import type { Command } from 'commander';
import { confirmClock } from '../engine/trusted-clock.js';
import type { Heartbeat } from '../stores/read-store.js';
import { confirm } from './cli/confirm.js';
import { answer } from './cli/output.js';
import { withEngine } from './cli/stores.js';

/** `clock`: the service's clock. */
export const clockCommands = (root: Command): void => {
  const clock = root
    .command('clock')
    .description('The clock by which the service decides.')
    .addHelpText('after', '\nExample:\n  $ assay clock confirm');
  confirmCommand(clock);
};

interface ConfirmOptions {
  readonly yes?: true;
  readonly json?: true;
}

const CONFIRM_HELP = `
Run this command on a machine whose clock is right. It ends a wait that a doubtful clock has begun.

After a stop of more than a day, or after the clock was set, the service cannot tell whether the clock is right. Until the
clock has been steady for an hour, no session expires, and no mail or notice is abandoned for its age. After this command,
processes whose clocks agree with this one continue within seconds. Erasures by retention wait for the hour nevertheless.
The log records the confirmation (clock.confirmed).

Examples:
  $ assay clock confirm
  $ assay clock confirm --yes --json`;

/** `clock confirm`: records that the clock of this machine is right. */
const confirmCommand = (clock: Command): void => {
  clock
    .command('confirm')
    .description('Confirm that the clock of this machine is right.')
    .option('--yes', 'do not ask for a confirmation')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', CONFIRM_HELP)
    .action(confirmTime);
};

const confirmTime = async ({ yes, json }: ConfirmOptions): Promise<void> => {
  const confirmedAt = await withEngine(async ({ stores, requests }) => {
    const { clock } = stores.readStore;
    await confirm(question(await clock.heartbeat()), yes);
    // Read after the question, whose answer may have taken long.
    const now = new Date();
    // Recorded first, so that the clock is never confirmed without a record.
    await requests.record('clock.confirmed', { at: now.toISOString() });
    await confirmClock(clock, now);
    return now.toISOString();
  });
  answer(json, { confirmedAt }, () => [`Confirmed: the time is ${confirmedAt}.`]);
};

const question = (recorded: Heartbeat | null): string => {
  const former =
    recorded === null ? '' : `The service last recorded the time ${new Date(recorded.at).toISOString()}. `;
  return `${former}The clock of this machine shows ${new Date().toISOString()}. Is it right?`;
};
