import type { Command } from 'commander';
import { candidate } from '../domain/candidate/decider.js';
import type { Stores } from '../process/stores.js';
import { answer } from './cli/output.js';
import { withEngine } from './cli/stores.js';
import { givenEmail } from './organisations.js';

/** `sign-ins`: the operator's commands about candidates' sign-ins. */
export const signInsCommands = (root: Command): void => {
  const signIns = root
    .command('sign-ins')
    .description('How candidates sign in by mailed codes.')
    .addHelpText('after', '\nExample:\n  $ assay sign-ins unlock carol@example.org');
  unlockCommand(signIns);
};

interface UnlockOptions {
  readonly json?: true;
}

const UNLOCK_HELP = `
For a candidate who gets no code because too many were asked for with the address. Codes can then be asked for again,
also by the links of all invitations to it. It works for any address, whether there was a lock or not. The log has a
record of the action without the address.

Examples:
  $ assay sign-ins unlock carol@example.org
  $ assay sign-ins unlock carol@example.org --json`;

/** `sign-ins unlock`: resets the limit of codes for an address. */
const unlockCommand = (signIns: Command): void => {
  signIns
    .command('unlock')
    .description('Let codes be asked for an e-mail address again.')
    .argument('<email>', 'the candidate’s e-mail address, in any spelling')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', UNLOCK_HELP)
    .action(unlock);
};

const unlock = async (given: string, { json }: UnlockOptions): Promise<void> => {
  const email = await givenEmail(given);
  const invitations = await withEngine(async ({ stores, requests }) => {
    const applicationIds = await applicationsOf(stores, email);
    // Recorded first, so that no limit is reset without a record.
    await requests.record('sign_in.unlocked', { invitations: applicationIds.length });
    await resetCodeLimit(stores, email, applicationIds);
    return applicationIds.length;
  });
  answer(json, { email, invitations }, () => [
    `Codes can be asked for ${email} again (${invitations} ${invitations === 1 ? 'invitation' : 'invitations'}).`,
  ]);
};

/** The ids of the applications of all who were invited under an address, in any organisation. */
const applicationsOf = async (
  { vault, hasher, streams }: Stores,
  email: string,
): Promise<readonly string[]> => {
  const { CandidateDirectory } = await import('../application/applications/directory.js');
  const persons = await new CandidateDirectory(vault, hasher).ofEmail(email);
  const found = await Promise.all(persons.map((person) => streams.read(candidate, person)));
  return found.flatMap(({ state }) => state?.invitations.map(({ applicationId }) => applicationId) ?? []);
};

const resetCodeLimit = async (
  { vault }: Stores,
  email: string,
  applicationIds: readonly string[],
): Promise<void> => {
  const [{ Codes }, { IssuerKeys }, { SealedRecords }] = await Promise.all([
    import('../issuers/candidate/codes.js'),
    import('../issuers/candidate/keys.js'),
    import('../vault/sealed-records.js'),
  ]);
  const hasher = await new IssuerKeys(vault).hasher();
  await new Codes(new SealedRecords(vault, hasher), hasher).lift(email, applicationIds);
};
