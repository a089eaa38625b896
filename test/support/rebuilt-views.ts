import { expect } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { mails, type MailsDocument } from '../../projections/mails.js';
import { type Dump, dumpViews, dumpWithHead } from './dump-views.js';
import { freePort } from './free-port.js';
import type { Place } from './same-folder.js';
import { startService } from './service.js';

/** What nothing in a hiring round has a document in. */
const UNSEEN = ['contests', 'share-links', 'api-keys', 'webhooks', 'deliveries', 'imports', 'saved-views'];

/**
 * Throws every view of a stopped place away, has a service build them anew, and compares all documents. That service
 * does what has become due, too: if it appended something, the views are thrown away once more.
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
 * The live views once nothing more is to be done. A mail that a crash left unsent would else be sent by the service
 * that builds the views anew, and they would tell more than the live ones.
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
  while (!(await caughtUp())) await sleep(50);
  await service.stop();
};
