import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { dumpViews } from './dump-views.js';
import { freePort } from './free-port.js';
import type { Place } from './same-folder.js';
import { startService } from './service.js';

/** What nothing in a hiring round has a document in. */
const UNSEEN = ['tickets', 'contests', 'share-links', 'webhooks', 'deliveries'];

/** Throws every view of a place at rest away, has a service build them anew, and compares all documents. */
export const expectViewsToSurviveRebuilding = async (place: Place): Promise<void> => {
  const live = await dumpViews(place.dataDir);
  const empty = Object.keys(live).filter((view) => Object.keys(live[view] ?? {}).length === 0);
  expect(empty).toEqual(UNSEEN);
  await rm(join(place.dataDir, 'views'), { recursive: true });
  await rebuild(place);
  expect(await dumpViews(place.dataDir)).toEqual(live);
};

/** By a service with a projector of its own, until no view lags behind. */
const rebuild = async ({ dataDir, env }: Place): Promise<void> => {
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
