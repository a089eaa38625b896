import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { endedWell } from '../support/service.js';
import { expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';
import { leftovers } from './rebuild-phases.js';
import { RebuildPlace } from './rebuild-place.js';

const SIZE = { roles: 3, completed: 30, started: 2, activities: 400 };
const VIEW = 'evidence';
/** Free bytes: less than a rebuild of the view needs. */
const ROOM = 128 << 10;

/** Limits the size of a process's files. Beyond it writes fail with an error, as on a full disk. */
const allow = (pid: number, bytes: number | 'unlimited'): void =>
  void execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);

describe('a rebuild while the disk is full', () => {
  let place: RebuildPlace;
  // A new place for each test: a cancelled generation would leave free room in the file.
  beforeEach(async () => (place = await RebuildPlace.open(SIZE, { apart: false })));
  afterEach(() => place.remove());

  const size = (): number => statSync(join(place.place.dataDir, 'views', 'data.mdb')).size;
  const projections = (...args: readonly string[]) =>
    startAssay(place.place.dataDir, ['projections', ...args]).ended();
  const pointer = async () => (await place.stores.readStore.pointers.get(VIEW))!;

  /** Limits the views' file to its present size plus `ROOM`, for the service and the processes that it starts. */
  const fill = (): number => {
    allow(place.service, size() + ROOM);
    return place.service;
  };

  const stuck = async (): Promise<void> => {
    expect(await projections('rebuild', VIEW, '--no-wait')).toMatchObject({ code: 0 });
    await eventually(async () => (await pointer()).next !== null);
    await sleep(3_000);
    expect(await pointer()).toMatchObject({ next: { ready: false, failure: null } });
    // The live generation can still be read.
    for (const path of ['/signal', '/evaluations', '/applications']) {
      const { id, owner } = place.organisation;
      const { status } = await owner.api.send('GET', `/organisations/${id}${path}`, { token: owner.token });
      expect([path, status]).toEqual([path, 200]);
    }
  };

  it('can be cancelled once there is room, and leaves nothing behind', async () => {
    const before = (await pointer()).live.number;
    const service = fill();
    await stuck();
    const cancelling = projections('cancel', VIEW, '--yes');
    await sleep(500);
    allow(service, 'unlimited');
    const builder = place.builder();
    if (builder !== null) allow(builder, 'unlimited');
    expect(await cancelling).toMatchObject({ code: 0 });
    expect((await pointer()).live.number).toBe(before);
    expect(await leftovers(place, VIEW, { held: false, former: false })).toEqual([]);
  });
  it('continues once there is room', async () => {
    const before = (await pointer()).live.number;
    const service = fill();
    await stuck();
    allow(service, 'unlimited');
    const builder = place.builder();
    if (builder !== null) allow(builder, 'unlimited');
    await eventually(async () => (await pointer()).live.number > before);
    expect(await projections('diff', VIEW)).toMatchObject({ code: 0 });
    const ended = await place.stop();
    expect(ended).toHaveLength(1);
    endedWell(...ended);
    await place.restart();
    await expectViewsToEqualAFoldFromZero(place.settings);
  });
});
