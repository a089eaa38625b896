import { type Command, InvalidArgumentError } from 'commander';
import { parseTimestamp } from '../../core/timestamp.js';
import { MAIL_ACTIONS, preRestoreDetails, type PreRestoreMails } from '../../domain/operations/decider.js';
import { answer } from '../cli/output.js';
import { withEngine } from '../cli/stores.js';

/** Reads an option's time, into the form of the log. @throws {InvalidArgumentError} not a time, or in the future */
export const timeOf = (text: string): string => {
  const time = parseTimestamp(text);
  if (time === null) throw new InvalidArgumentError('It must be a time as in 2026-01-31T09:30:00Z.');
  if (time > new Date().toISOString()) throw new InvalidArgumentError('It is still to come.');
  return time;
};

/**
 * What happens to mails and notices that were due before a restore.
 * @param sentUntil time until which they are known to be sent; `undefined`: unknown
 */
export const preRestoreMailsOf = (sentUntil: string | undefined): PreRestoreMails =>
  sentUntil === undefined
    ? { until: new Date().toISOString(), are: 'held' }
    : { until: sentUntil, are: 'sent' };

/** What happens to them, in a sentence. */
export const preRestoreLine = ({ until, are }: PreRestoreMails): string =>
  are === 'sent'
    ? `Mails and notices that were due until ${until} count as sent.`
    : `Mails and notices that were due until ${until} are held: they may have been sent after the backup. Decide about them: \`assay mails --help\`.`;

interface Options {
  readonly json?: true;
}

const HELP = `
After a restore, mails and webhooks' notices that were due by then are held: the log does not know which of them were sent
after the backup. Decide about all of them at once. A mail that is not sent within 72 hours of its due time is given up
in any case, a notice gets one attempt.

If you restored servers by their own means, say so before you start the service: \`assay mails hold\`.

Examples:
  $ assay mails hold
  $ assay mails hold --sent-until 2026-03-01T09:30:00Z
  $ assay mails release
  $ assay mails give-up`;

/** `mails`: decides on mails and webhooks' notices that may have been sent after the restored backup. */
export const mailsCommands = (root: Command): void => {
  const mails = root
    .command('mails')
    .description('Decide about mails and webhooks’ notices that may have been sent before a restore.')
    .addHelpText('after', HELP);
  mails
    .command('hold')
    .description('Hold what was due until now, before a restored service starts.')
    .option('--sent-until <time>', 'what was due until then counts as sent', timeOf)
    .option('--json', 'print one JSON object and nothing else')
    .action(hold);
  mails
    .command('release')
    .description('Send the mails and notices that are held.')
    .option('--json', 'print one JSON object and nothing else')
    .action((options: Options) => decide(MAIL_ACTIONS.release, 'are sent', options));
  mails
    .command('give-up')
    .description('Give up the mails and notices that are held. Staff can send each again.')
    .option('--json', 'print one JSON object and nothing else')
    .action((options: Options) => decide(MAIL_ACTIONS.giveUp, 'are given up', options));
};

const hold = async ({ sentUntil, json }: Options & { readonly sentUntil?: string }): Promise<void> => {
  const preRestoreMails = preRestoreMailsOf(sentUntil);
  await withEngine(({ requests }) => requests.record(MAIL_ACTIONS.hold, preRestoreDetails(preRestoreMails)));
  answer(json, { mails: preRestoreMails }, () => [preRestoreLine(preRestoreMails)]);
};

const decide = async (action: string, what: string, { json }: Options): Promise<void> => {
  const until = await withEngine(({ requests }) => requests.decideOnHeldMails(action));
  answer(json, { until }, () => [`Mails and notices that were due until ${until} ${what}, within a minute.`]);
};
