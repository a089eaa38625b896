import { expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { views } from '../../projections/index.js';
import { viewHealth } from '../../src/engine/health/health.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores, type Stores } from '../../src/process/stores.js';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import type { ReadStore } from '../../src/stores/read-store.js';
import { startProjector } from './alone.js';
import { dumpOf } from './dump-views.js';

const WAIT_LIMIT_MS = 60_000;

const caughtUp = async ({ eventStore }: Stores, readStore: ReadStore): Promise<void> => {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    const health = await viewHealth({ eventStore, readStore }, views);
    const behind = health.filter((view) => !view.caughtUp).map(({ view }) => view);
    if (behind.length === 0) return;
    if (performance.now() > deadline) throw new Error(`These views never caught up: ${behind.join(', ')}.`);
    await sleep(50);
  }
};

/**
 * Waits until the views that serve have folded all, and compares every document with a fold from the first event on
 * into an empty read store of its own. A service may run: what it appends between the two readings (a trial expires, a
 * mail is sent) is in one of them alone, so they are compared only if the log had one head all the while.
 */
export const expectViewsToEqualAFoldFromZero = async (
  settings: Readonly<Record<string, string>>,
): Promise<void> => {
  const stores = await openStores(readConfiguration(settings));
  const folder = await mkdtemp(join(tmpdir(), 'assay-refold-'));
  const readStore = await openEmbeddedReadStore(folder);
  const { eventStore, codec, documents } = stores;
  const deadline = performance.now() + WAIT_LIMIT_MS;
  try {
    const projector = startProjector({
      eventStore,
      readStore,
      codec,
      sealer: documents,
      views,
      owner: 'refold',
    });
    try {
      await projector.ready;
      for (;;) {
        const head = await eventStore.head();
        await caughtUp(stores, stores.readStore);
        await caughtUp(stores, readStore);
        const live = await dumpOf(stores);
        const refolded = await dumpOf({ readStore, documents });
        if ((await eventStore.head()) === head) {
          expect(Object.values(live).some((texts) => Object.keys(texts).length > 0)).toBe(true);
          expect(live).toEqual(refolded);
          return;
        }
        if (performance.now() > deadline) throw new Error('The log never came to rest.');
      }
    } finally {
      await projector.stop();
    }
  } finally {
    await readStore.close();
    await stores.close();
    await rm(folder, { recursive: true, force: true });
  }
};
