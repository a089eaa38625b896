import { copyEventsCommand } from './operator/copy/command.js';
import { createOrganisationCommand } from './operator/create-organisation.js';
import { program } from './operator/program.js';

/** The operator's command: `npm run -s assay -- …`, beside a running service or without one. */
await program([createOrganisationCommand, copyEventsCommand]).parseAsync();
