import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { views } from '../../projections/index.js';
import { generationsOf } from '../../src/engine/generations/generations.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores } from '../../src/process/stores.js';
import { roundsOnServers } from '../servers/rounds-on-servers.js';
import { projections } from '../support/assay.js';
import { eventually } from '../support/eventually.js';

/** Longer than the timeout of a lease. */
const LONG_PAUSE_MS = 8_000;
const DONE = { code: 0 };

/** The generations that the pointers name, and those that are stored. */
const generations = async (settings: Readonly<Record<string, string>>) => {
  const { readStore, close } = await openStores(readConfiguration(settings));
  try {
    const pointers = await Promise.all(views.map(({ name }) => readStore.pointers.get(name)));
    const named = pointers.flatMap((pointer) => (pointer === null ? [] : generationsOf(pointer)));
    return { named: named.map(({ name }) => name).sort(), stored: await readStore.generations() };
  } finally {
    await close();
  }
};

describe('an operator beside two API processes and two projectors on EventStoreDB and MongoDB', () => {
  it('rebuilds, holds, compares, promotes, rolls back and cancels while candidates play, projectors die and freeze', async () => {
    await roundsOnServers({ candidates: 24, seed: 81 }, async ({ direct, projectors }, playing) => {
      const [first, second] = [projectors[0]!, projectors[1]!];
      const assay = (...args: readonly string[]) => projections(direct, ...args);
      await playing.played(6);

      expect(await assay('rebuild', 'signal', '--segments', '3')).toMatchObject(DONE);
      expect(await assay('diff', 'signal')).toMatchObject(DONE);

      // The projector is killed twice during the rebuild.
      const [held] = await Promise.all([
        assay('rebuild', 'evidence', '--segments', '3', '--hold'),
        (async () => {
          for (let n = 0; n < 2; n++) {
            await sleep(1_200);
            await first.crash();
          }
        })(),
      ]);
      expect(held).toMatchObject({ code: 0, out: expect.stringContaining('built and held') });
      expect(await assay('rebuild', 'evidence')).toMatchObject({
        code: 1,
        err: expect.stringContaining('is built already: promote it, or cancel it'),
      });
      expect(await assay('diff', 'evidence')).toMatchObject(DONE);
      expect(await assay('promote', 'evidence')).toMatchObject(DONE);
      expect(await assay('rollback', 'evidence', '--yes')).toMatchObject(DONE);

      // One is frozen until others hold its leases, and resumed after the rebuilds.
      await Promise.all([
        second.freeze(LONG_PAUSE_MS),
        sleep(300).then(async () =>
          expect(await assay('rebuild', 'applications', '--segments', '3')).toMatchObject(DONE),
        ),
      ]);

      // Two requests at the same moment: one is refused and names the other.
      const both = await Promise.all([
        assay('rebuild', 'roles', '--hold'),
        assay('rebuild', 'roles', '--hold'),
      ]);
      expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
      expect(both.find(({ code }) => code === 1)?.err).toMatch(
        /is not finished yet|is built already|is being built: cancel/,
      );
      expect(await assay('cancel', 'roles', '--yes')).toMatchObject(DONE);
      // Cancelled in the middle, unless it has already ended, while one of the working processes dies.
      expect(await assay('rebuild', 'signal', '--segments', '5', '--no-wait')).toMatchObject(DONE);
      const [cancelled] = await Promise.all([assay('cancel', 'signal', '--yes'), second.crash()]);
      if (cancelled.code !== 0)
        expect(cancelled.err).toMatch(/^No rebuild of .* is running: there is nothing to cancel\.$/m);

      await playing.ended();
      for (const view of ['signal', 'evidence', 'applications']) {
        expect(await assay('diff', view)).toMatchObject(DONE);
      }
      expect(await assay('verify', '--all')).toMatchObject(DONE);
      const status = await assay('status', '--json');
      expect(JSON.parse(status.out)).toEqual(
        views.map(({ name }) => expect.objectContaining({ view: name, open: [], parked: 0, freeze: null })),
      );
      await eventually(async () => {
        const { named, stored } = await generations(direct);
        return stored.join() === named.join();
      });
    });
  });
});
