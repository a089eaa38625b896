import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { dumpViews } from '../support/dump-views.js';
import { createOrganisation } from '../support/organisation.js';
import { makePlace, type Place } from '../support/same-folder.js';
import { type Service, type Spawned, spawnService, startService } from '../support/service.js';

const CANDIDATES = 16;

/** Plays hiring rounds against the place's service; resolves with how the simulation ended. */
const simulate = (place: Place, organisationId: string, email: string) => {
  const child = spawn(
    process.execPath,
    [
      'dist/src/simulate.js',
      ...['--candidates', `${CANDIDATES}`, '--seed', '11', '--url', place.url],
      ...['--organisation', organisationId, '--email', email],
    ],
    { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
  return { ended };
};

describe('kill -9 in the middle of hiring rounds', () => {
  it('of the service: every figure agrees, and live views equal rebuilt ones', async () => {
    const place = await makePlace();
    let service = await place.start();
    try {
      const organisation = await createOrganisation(place.dataDir, 'Example', 'owner@example.org');
      const { ended } = simulate(place, organisation, 'owner@example.org');
      for (const wait of [1_500, 1_000, 2_300]) {
        await sleep(wait);
        await service.kill();
        service = await place.start();
      }
      expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('Everything agrees') });
      expect((await service.stop()).code).toBe(0);
      await expectViewsToSurviveRebuilding(place);
    } finally {
      await service.kill();
      await place.remove();
    }
  }, 120_000);

  it('of an API and a projector apart: every figure agrees, and live views equal rebuilt ones', async () => {
    const place = await makePlace({ PROJECTOR: 'off' });
    let projector = startProjector(place);
    let service = await place.start();
    try {
      const organisation = await createOrganisation(place.dataDir, 'Example', 'owner@example.org');
      const { ended } = simulate(place, organisation, 'owner@example.org');
      await sleep(1_500);
      projector = await killed(projector, place);
      await sleep(1_500);
      await service.kill();
      service = await place.start();
      await sleep(1_000);
      projector = await killed(projector, place);
      expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('Everything agrees') });
      expect((await service.stop()).code).toBe(0);
      projector.child.kill('SIGTERM');
      expect((await projector.ended).code).toBe(0);
      await expectViewsToSurviveRebuilding(place);
    } finally {
      projector.child.kill('SIGKILL');
      await service.kill();
      await place.remove();
    }
  }, 120_000);
});

const startProjector = ({ dataDir, env }: Place): Spawned =>
  spawnService(dataDir, { entry: 'src/projector.js', env });

const killed = async (projector: Spawned, place: Place): Promise<Spawned> => {
  projector.child.kill('SIGKILL');
  await projector.ended;
  return startProjector(place);
};

/** Throws every view away, has a service build them anew, and compares all documents. */
const expectViewsToSurviveRebuilding = async (place: Place): Promise<void> => {
  const live = await dumpViews(place.dataDir);
  expect(Object.values(live).every((documents) => Object.keys(documents).length > 0)).toBe(true);
  await rm(join(place.dataDir, 'views'), { recursive: true });
  const rebuilder: Service = await makeRebuilder(place);
  await rebuilder.stop();
  expect(await dumpViews(place.dataDir)).toEqual(live);
};

/** A service with a projector of its own: ready means that its views lag behind nothing that matters here. */
const makeRebuilder = async ({ dataDir, env }: Place): Promise<Service> => {
  const service = await startService({ dataDir, env: { ...env, PROJECTOR: 'embedded' } });
  const caughtUp = async () => {
    const { components } = (await (await fetch(`${service.url}/health/ready`)).json()) as {
      components?: readonly { name: string; figures?: { caughtUp?: boolean } }[];
    };
    const fed = (components ?? []).filter(({ name }) => name.startsWith('view '));
    return fed.length > 0 && fed.every(({ figures }) => figures?.caughtUp === true);
  };
  while (!(await caughtUp())) await sleep(50);
  return service;
};
