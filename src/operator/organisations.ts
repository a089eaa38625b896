import type { Command } from 'commander';
import { v7 as uuidV7 } from 'uuid';
import { type OrganisationDocument, organisations } from '../../projections/organisations.js';
import { CommandContexts } from '../core/command-context.js';
import { emailMistake, visibleEmail } from '../core/email-address.js';
import { collectionOf } from '../engine/generations/generations.js';
import { SIGN_IN_TEXTS } from '../languages/languages.js';
import { readConfiguration } from '../process/config.js';
import { openStores, type WriteSide } from '../process/stores.js';
import { answer, print } from './cli/output.js';
import { CalledWrongly, OperatorError } from './cli/program.js';
import { closing, configured, openViewsToRead } from './cli/stores.js';
import { tableLines } from './cli/table.js';
import { pointerOf } from './projections/views.js';

/** `organisations`: who uses this service. */
export const organisationsCommands = (root: Command): void => {
  const organisations = root
    .command('organisations')
    .description('Organisations of this service.')
    .addHelpText('after', '\nExample:\n  $ assay organisations list');
  listOrganisationsCommand(organisations);
  createOrganisationCommand(organisations);
};

interface ListOptions {
  readonly json?: true;
}

interface ListedOrganisation {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

const LIST_HELP = `
As the view "organisations" has them, the oldest first. No key is used.

Examples:
  $ assay organisations list
  $ assay organisations list --json | jq -r '.[].id'`;

/** `organisations list`: their ids and names. */
const listOrganisationsCommand = (group: Command): void => {
  group
    .command('list')
    .description('List the organisations.')
    .option('--json', 'print one JSON list and nothing else')
    .addHelpText('after', LIST_HELP)
    .action(async ({ json }: ListOptions) => {
      const all = await listed();
      const rows = all.map(({ id, name, createdAt }) => [id, name, createdAt.slice(0, DAY)]);
      answer(json, all, () =>
        rows.length === 0
          ? ['There is no organisation yet.']
          : tableLines(['organisation', 'name', 'created'], rows),
      );
    });
};

/** Characters of a timestamp that name its day. */
const DAY = 'YYYY-MM-DD'.length;

const listed = async (): Promise<readonly ListedOrganisation[]> =>
  closing(openViewsToRead(readConfiguration(process.env)), async (readStore) => {
    const { live } = await pointerOf(readStore, organisations.name);
    const found: ListedOrganisation[] = [];
    for await (const { body, deleted } of collectionOf(readStore, organisations, live).all()) {
      if (deleted) continue;
      const { organisationId, name, createdAt } = body as unknown as OrganisationDocument;
      found.push({ id: organisationId, name, createdAt });
    }
    return found.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
  });

interface CreateOptions {
  readonly name: string;
  readonly ownerEmail: string;
  readonly json?: true;
}

/** `organisations create`: an organisation with its first owner, who is bound at the first sign-in. */
const createOrganisationCommand = (organisations: Command): void => {
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
    .action(create);
};

const create = async ({ name, ownerEmail, json }: CreateOptions): Promise<void> => {
  const email = await givenEmail(ownerEmail);
  // If there is no log, this begins one. A mistyped DATA_DIR would thus become a second, empty service, which cannot
  // always be detected: the operator is shown where a log is begun.
  const say = (sentence: string): void => print(sentence, process.stderr);
  await closing(openStores(configured(), say, { patient: true }), async (stores) => {
    const organisationId = await addOrganisation(stores, name, email);
    answer(json, { id: organisationId }, () => [
      `Organisation ${organisationId} (${name}) is created; ${email} becomes its owner at the first sign-in.`,
    ]);
  });
};

/**
 * An e-mail address as an operator typed it, without what is not seen.
 * @throws {CalledWrongly} it is none
 */
export const givenEmail = async (given: string): Promise<string> => {
  // Its library takes as long to load as all the rest of this program.
  const { isEmailAddress } = await import('../http/validation/formats.js');
  const email = visibleEmail(given);
  if (isEmailAddress(email)) return email;
  const mistake = emailMistake(email);
  const named = mistake === null ? '' : ` ${SIGN_IN_TEXTS.en.wrongSign(mistake)}`;
  throw new CalledWrongly(`${JSON.stringify(given)} is not an e-mail address.${named}`);
};

/**
 * Creates an organisation and its first owner.
 * @returns its id
 * @throws {OperatorError} the name is refused
 */
export const addOrganisation = async (
  { vault, hasher, streams }: WriteSide,
  name: string,
  email: string,
): Promise<string> => {
  // With its library it takes as long to load as all the rest of this program.
  const { CreateOrganisation, CreateOrganisationHandler } =
    await import('../application/organisations/create-organisation.js');
  const organisationId = uuidV7();
  const context = new CommandContexts(hasher).forSystem({ type: 'operator', id: 'assay' }, organisationId);
  const handler = new CreateOrganisationHandler(streams, vault, hasher);
  const handled = await handler.execute(
    new CreateOrganisation(context, { organisationId, name, ownerEmail: email }),
  );
  if (handled.kind === 'refused') throw new OperatorError(handled.refusal.message);
  return organisationId;
};
