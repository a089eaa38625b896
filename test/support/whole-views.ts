import { expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { views } from '../../projections/index.js';
import { mails, type MailsDocument } from '../../projections/mails.js';
import type { Position } from '../../src/core/event-store.js';
import { collectionOf } from '../../src/engine/generations/generations.js';
import { viewHealth } from '../../src/engine/health/health.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores, type Stores } from '../../src/process/stores.js';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import type { ReadStore } from '../../src/stores/read-store.js';
import { startProjector } from './alone.js';
import { eventually, eventuallyHolds } from './eventually.js';
import { freePort } from './free-port.js';
import type { Place } from './place.js';
import { startService } from './service.js';

/** The text of each document, by view and id. */
export type Dump = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Every document of every view, unsealed, by view and id. Positions are left out: they are no part of the content.
 */
export const dumpOf = async ({
  readStore,
  documents,
}: Pick<Stores, 'readStore' | 'documents'>): Promise<Dump> => {
  const dump: Record<string, Record<string, string>> = {};
  for (const view of views) {
    const pointer = await readStore.pointers.get(view.name);
    if (!pointer) throw new Error(`The view ${view.name} has no generation.`);
    const texts: Record<string, string> = {};
    for await (const { id, body, deleted, parkedAt } of collectionOf(readStore, view, pointer.live).all())
      texts[id] = JSON.stringify({ deleted, parkedAt, body: await documents.open(body) });
    dump[view.name] = texts;
  }
  return dump;
};

/** The same for a data folder, or for the stores of other settings. */
export const dumpViews = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Dump> => (await dumpWithHead(dataDir, settings)).dump;

/** The documents, and the log's head. No service may run. Two dumps can be compared if their heads are equal. */
export const dumpWithHead = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ head: Position; dump: Dump }> => {
  const stores = await openStores(readConfiguration({ ...settings, DATA_DIR: dataDir }));
  try {
    return { head: await stores.eventStore.head(), dump: await dumpOf(stores) };
  } finally {
    await stores.close();
  }
};

const WAIT_LIMIT_MS = 60_000;

const caughtUp = ({ eventStore }: Stores, readStore: ReadStore) =>
  eventuallyHolds(async () => {
    const health = await viewHealth({ eventStore, readStore }, views);
    const behind = health.filter((view) => !view.caughtUp).map(({ view }) => view);
    expect(behind).toEqual([]);
  });

/**
 * Waits until the live views have folded everything, and compares every document with a fold from the first event into
 * an empty read store. A service may run. If it appends between the two reads (a trial expires, a mail is sent), only
 * one of them has that event: then both are read again.
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

/** Views without a document in a hiring round. */
const UNSEEN = ['contests', 'share-links', 'api-keys', 'webhooks', 'deliveries', 'imports', 'saved-views'];

/**
 * Deletes every view of a stopped place, lets a service build them again, and compares all documents. That service also
 * does work that is due: if it appended an event, the views are deleted and built once more.
 */
export const expectViewsToSurviveRebuilding = async (place: Place): Promise<void> => {
  const rest = await dumpAtRest(place);
  const empty = Object.keys(rest).filter((view) => Object.keys(rest[view] ?? {}).length === 0);
  expect(empty).toEqual(UNSEEN);
  for (let live = await dumpWithHead(place.dataDir); ;) {
    await rm(join(place.dataDir, 'views'), { recursive: true });
    await serveUntilCaughtUp(place);
    const rebuilt = await dumpWithHead(place.dataDir);
    if (rebuilt.head === live.head) {
      expect(rebuilt.dump).toEqual(live.dump);
      return;
    }
    live = rebuilt;
  }
};

/**
 * The live views, once no work is due. Otherwise the service that builds the views again would, for example, send a
 * mail that a crash left unsent, and its views would have one event more.
 */
const dumpAtRest = async (place: Place): Promise<Dump> => {
  for (let before = await dumpViews(place.dataDir); ;) {
    await serveUntilCaughtUp(place);
    const now = await dumpViews(place.dataDir);
    if (!isMailDue(now) && isDeepStrictEqual(now, before)) return now;
    before = now;
  }
};

const isMailDue = (dump: Dump): boolean =>
  Object.values(dump[mails.name]!).some((text) => {
    const { body } = JSON.parse(text) as { body: MailsDocument };
    return body.mails.some(({ state, dueAt }) => state === 'pending' && Date.parse(dueAt) <= Date.now());
  });

/** Runs a service with an embedded projector until no view lags behind. */
const serveUntilCaughtUp = async ({ dataDir, env }: Place): Promise<void> => {
  const HEALTH_PORT = `${await freePort()}`;
  const service = await startService({ dataDir, env: { ...env, PROJECTOR: 'embedded', HEALTH_PORT } });
  const caughtUp = async () => {
    const { components } = (await (await fetch(`http://127.0.0.1:${HEALTH_PORT}/health/ready`)).json()) as {
      components?: readonly { name: string; figures?: { caughtUp?: boolean } }[];
    };
    const fed = (components ?? []).filter(({ name }) => name.startsWith('view '));
    return fed.length > 0 && fed.every(({ figures }) => figures?.caughtUp === true);
  };
  await eventually(caughtUp, 5 * WAIT_LIMIT_MS);
  await service.stop();
};
