import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStoreContract } from '../../../test/contracts/read-store.js';
import { openEmbeddedReadStore } from './open.js';

readStoreContract('the embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'read-store-'));
  return {
    connect: () => openEmbeddedReadStore(folder),
    remove: () => rm(folder, { recursive: true }),
  };
});
