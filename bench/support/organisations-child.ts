import { addOrganisation } from '../../src/operator/organisations.js';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide } from '../../src/process/stores.js';
import { closedLoop } from './closed-loop.js';

/** Makes organisations as the operator's command does, many in one process. `node organisations-child.js COUNT` */
const WRITERS = 16;
const stores = await openWriteSide(readConfiguration(process.env));
await closedLoop(WRITERS, Number(process.argv[2] ?? 0), async (writer, turn) => {
  const owner = `owner-${process.pid}-${writer}-${turn}@example.org`;
  await addOrganisation(stores, `Example ${writer} ${turn}`, owner);
});
await stores.close();
