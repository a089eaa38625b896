import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStoreContract } from '../../../../test/contracts/event-store.js';
import { openEmbeddedLog } from './log.js';

eventStoreContract('embedded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-log-'));
  return {
    store: await openEmbeddedLog(folder),
    another: () => openEmbeddedLog(folder),
    remove: () => rm(folder, { recursive: true }),
  };
});
