import type { Command } from 'commander';
import { createOrganisationCommand } from './create-organisation.js';
import { listOrganisationsCommand } from './list-organisations.js';

/** `organisations`: who uses this service. */
export const organisationsCommands = (root: Command): void => {
  const organisations = root
    .command('organisations')
    .description('Organisations of this service.')
    .addHelpText('after', '\nExample:\n  $ assay organisations list');
  listOrganisationsCommand(organisations);
  createOrganisationCommand(organisations);
};
