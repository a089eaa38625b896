import { expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Api } from '../support/api.js';
import { startAssay } from '../support/assay.js';
import { makePlace } from '../support/place.js';
import type { Program } from '../support/program.js';
import { KnownOrganisation } from './rebuild-organisation.js';

const SIZE = { roles: 5, completed: 20, started: 4, activities: 400 };
/** Limit in milliseconds; on an idle machine it takes a few seconds. */
const MAX_MS = 120_000;
/** Processes that use each processor all of the time, beside the service. */
const BESIDE = 2;

const keepBusy = (): readonly ChildProcess[] =>
  Array.from({ length: BESIDE * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );

const endAll = async (processes: readonly ChildProcess[]): Promise<void> => {
  await Promise.all(
    processes.map(async (one) => {
      const ended = once(one, 'exit');
      one.kill('SIGKILL');
      await ended;
    }),
  );
};

it('rebuilds on a machine that is busy with other work: it ends, and the builder never holds up a writer', async () => {
  const place = await makePlace();
  const service = await place.start();
  let busy: readonly ChildProcess[] = [];
  let command: Program | null = null;
  try {
    const organisation = await KnownOrganisation.create(new Api(service.url), place.dataDir, 'busy');
    await organisation.fill(SIZE);
    busy = keepBusy();
    let over = false;
    let renamed = 0;
    const rename = async (): Promise<void> => {
      for (; !over; renamed++) {
        const role = organisation.roles[renamed % organisation.roles.length];
        if (role !== undefined) await organisation.rename(role, `Role ${100 + renamed}`);
      }
    };
    const rebuild = async () => {
      const began = performance.now();
      command = startAssay(place.dataDir, ['projections', 'rebuild', '--all']);
      const ended = await command.ended();
      over = true;
      return { ...ended, ms: performance.now() - began };
    };
    const [{ code, out, err, ms }] = await Promise.all([rebuild(), rename()]);
    await endAll(busy);
    busy = [];
    console.log(`all views in ${Math.round(ms / 1_000)} s beside ${renamed} commands`);
    expect({ code, out, err }).toMatchObject({ code: 0 });
    expect(ms).toBeLessThan(MAX_MS);
    expect(renamed).toBeGreaterThan(20);
    const output = service.output();
    await service.stop();
    expect(output).not.toMatch(/did not answer in time|"level":"?(error|fatal)/);
  } finally {
    // A command that a failed test leaves behind would slow down the next tests.
    (command as Program | null)?.process.kill('SIGKILL');
    await endAll(busy);
    await service.kill();
    await place.remove();
  }
});
