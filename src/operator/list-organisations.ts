import type { Command } from 'commander';
import { organisations, type OrganisationDocument } from '../../projections/organisations.js';
import { readConfiguration } from '../process/config.js';
import { collectionOf } from '../engine/generations.js';
import { openViewsToRead } from './health/here.js';
import { answer } from './output/screen.js';
import { tableText } from './output/table.js';
import { carryOut, OperatorError } from './program.js';

interface Options {
  readonly json?: true;
}

interface ListedOrganisation {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

const HELP = `
As the view "organisations" has them, the oldest first. No key is used.

Examples:
  $ assay organisations list
  $ assay organisations list --json | jq -r '.[].id'`;

/** `organisations list`: their ids and names. */
export const listOrganisationsCommand = (group: Command): void => {
  group
    .command('list')
    .description('List the organisations.')
    .option('--json', 'print one JSON list and nothing else')
    .addHelpText('after', HELP)
    .action(({ json }: Options) =>
      carryOut(async () => {
        const all = await listed();
        answer(json === true, all, () =>
          all.length === 0
            ? 'There is no organisation yet.'
            : tableText(
                ['organisation', 'name', 'created'],
                all.map(({ id, name, createdAt }) => [id, name, createdAt]),
              ),
        );
      }),
    );
};

const listed = async (): Promise<readonly ListedOrganisation[]> => {
  const readStore = await openViewsToRead(readConfiguration(process.env));
  try {
    const pointer = await readStore.pointers.get(organisations.name);
    if (pointer === null)
      throw new OperatorError(
        'The view "organisations" was never built: start the service, or a projector, once.',
      );
    const found: ListedOrganisation[] = [];
    for await (const { body, deleted } of collectionOf(readStore, organisations, pointer.live).all()) {
      if (deleted) continue;
      const { organisationId, name, createdAt } = body as unknown as OrganisationDocument;
      found.push({ id: organisationId, name, createdAt });
    }
    return found.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
  } finally {
    await readStore.close();
  }
};
