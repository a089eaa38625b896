import type { Command } from 'commander';
import { v7 as uuidV7 } from 'uuid';
import { readConfiguration } from '../process/config.js';
import { CommandContexts } from '../core/command-context.js';
import { streamName } from '../core/stream-name.js';
import { createOrganisation, organisation } from '../domain/organisation/decider.js';
import { print } from './output/harmless.js';
import { openWriteSide } from '../process/stores.js';
import type { PersonId } from '../core/vault/port.js';
import { CalledWrongly, carryOut, OperatorError } from './program.js';

interface Options {
  readonly name: string;
  readonly ownerEmail: string;
  readonly json?: true;
}

/** `organisations create`: an organisation with its first owner, who is bound at the first sign-in. */
export const createOrganisationCommand = (organisations: Command): void => {
  organisations
    .command('create')
    .description('Create an organisation and its first owner.')
    .requiredOption('--name <name>', 'the organisation’s name')
    .requiredOption('--owner-email <address>', 'the owner’s e-mail address, bound at the first sign-in')
    .option('--json', 'print one JSON object with the new id and nothing else')
    .addHelpText(
      'after',
      "\nExample:\n  $ assay organisations create --name 'Example' --owner-email olga@example.org",
    )
    .action((options: Options) => carryOut(() => create(options)));
};

const create = async ({ name, ownerEmail, json }: Options): Promise<void> => {
  // Its library takes as long to load as all the rest of this program.
  const { isEmailAddress } = await import('../api/http/validation/email.js');
  const email = ownerEmail.trim();
  if (!isEmailAddress(email)) throw new CalledWrongly(`${JSON.stringify(ownerEmail)} is no e-mail address.`);
  const stores = await openWriteSide(readConfiguration(process.env));
  try {
    const { vault, hasher, streams } = stores;
    const organisationId = uuidV7();
    const memberId = uuidV7() as PersonId;
    await vault.keys.create(memberId);
    await vault.carriers.add(hasher.emailHash(email), { person: memberId, kind: 'member', organisationId });
    const context = new CommandContexts(hasher).forSystem({ type: 'operator', id: 'assay' }, organisationId);
    const handled = await streams.handle(
      organisation,
      streamName('organisation', organisationId),
      context,
      (state) => createOrganisation(state, { organisationId, name, owner: { memberId, email } }),
    );
    if (handled.kind === 'refused') throw new OperatorError(handled.refusal.message);
    print(
      json
        ? JSON.stringify({ id: organisationId })
        : `Organisation ${organisationId} (${name}) is created; ${email} owns it from the first sign-in on.`,
    );
  } finally {
    await stores.close();
  }
};
