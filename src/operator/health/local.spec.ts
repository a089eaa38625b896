import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReadStore } from '../../process/adapters.js';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import type { Lease } from '../../stores/read-store.js';
import { localHealth, projectorsHealth } from './local.js';

/** Slots whose counters are as given at each look. */
const slots = (counterAt: (look: number) => number, owner = 'elsewhere/7/run') => {
  let look = 0;
  return {
    get: async (name: string): Promise<Lease | null> =>
      name === 'projectors.1' ? { owner: `${owner} digest`, counter: counterAt(look++) } : null,
  };
};
/** No process of this machine has it: it is above the largest one. */
const GONE = `${hostname()}/4194305/run`;

describe('the health of projectors', () => {
  it('is well where one moves while it is watched', async () => {
    expect(await projectorsHealth(slots((look) => Math.floor(look / 3)))).toMatchObject({ ready: true });
  });

  it.each([
    ['nobody ever was there', { get: async () => null }],
    ['whoever is entered is gone', slots((look) => look, GONE)],
  ])('is not where %s', async (_, leases) => {
    expect(await projectorsHealth(leases)).toMatchObject({
      ready: false,
      problem: expect.stringContaining('No process feeds the views'),
    });
  });

  it('is not where whoever is entered elsewhere stands still for longer than a living one may', async () => {
    expect(await projectorsHealth(slots(() => 4))).toMatchObject({ ready: false });
  }, 30_000);
});

describe('the health that a process finds by itself', () => {
  it.each([
    ['lost', (log: string) => rm(log, { recursive: true }), 'There is no event log'],
    ['empty', (log: string) => truncate(join(log, 'data.mdb'), 0), 'There is no event log'],
    ['damaged', (log: string) => truncate(join(log, 'data.mdb'), 10_000), 'is damaged'],
  ])('asks for no process that feeds the views if the log is %s', async (_, spoil, problem) => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-health-'));
    try {
      await (await openEmbeddedLog(join(folder, 'log'))).close();
      await (await openReadStore({ servers: null, dataDir: folder })).close();
      await spoil(join(folder, 'log'));
      const components = await localHealth({ servers: null, dataDir: folder });
      expect(components.filter(({ ready }) => !ready)).toEqual([
        { name: 'event-store', ready: false, problem: expect.stringContaining(problem) },
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('closes the log, the first of two things opened, if the views fail in an unforeseen way', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-health-'));
    try {
      await (await openEmbeddedLog(join(folder, 'log'))).close();
      let reads = 0;
      const places = {
        servers: null,
        // Read once to open the log, and once to open the views.
        get dataDir() {
          if (++reads > 1) throw new TypeError('unforeseen');
          return folder;
        },
      };
      await expect(localHealth(places)).rejects.toThrow('unforeseen');
      expect(readdirSync(join(folder, 'log')).filter((name) => name.startsWith('open.'))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
