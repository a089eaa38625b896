import { expect, it } from '@jest/globals';
import { views } from '../../projections/index.js';
import { AssayCommand } from '../faults/backup-command.js';
import { Api } from '../support/api.js';
import { makePlace } from '../support/same-folder.js';
import { CheckedLoad } from '../support/rebuild-load.js';
import { KnownOrganisation } from '../support/rebuild-organisation.js';
import { endedWell } from '../support/service.js';

const ORGANISATIONS = ['north', 'east', 'south', 'west', 'centre'];
const SIZE = { roles: 6, completed: 24, started: 12, activities: 110 };
const RATE = 200;
/** With fewer promotions than these there were not enough moments at which a reader could be shown something wrong. */
const ROUNDS = 2;

/** What an operator does to a view in front of its readers, and each time which generation serves then. */
const ROUND: readonly (readonly string[])[] = [
  ['rebuild', 'signal'],
  ['rebuild', 'signal', '--hold', '--segments', '3'],
  ['diff', 'signal'],
  ['verify', 'signal', '--all', '--generation', 'next'],
  ['promote', 'signal', '--yes'],
  ['rollback', 'signal', '--yes'],
  ['diff', 'signal'],
  ['rebuild', 'roles'],
  ['rollback', 'roles', '--yes'],
];

/** With what the views were rebuilt from, nothing may differ. */
const AT_LAST: readonly (readonly string[])[] = [
  ['diff', 'signal'],
  ['diff', 'roles'],
  ['verify', 'signal', '--all'],
  ['verify', 'roles', '--all'],
  ['verify', 'applications', '--all'],
];

it('rebuilds, promotions and rollbacks under 200 requests a second: not one of them fails or is answered wrongly', async () => {
  const place = await makePlace();
  const service = await place.start();
  try {
    const api = new Api(service.url);
    const organisations: KnownOrganisation[] = [];
    for (const name of ORGANISATIONS)
      organisations.push(await KnownOrganisation.create(api, place.dataDir, name));
    await Promise.all(organisations.map((organisation) => organisation.fill(SIZE)));

    const load = new CheckedLoad(organisations, RATE, 8);
    let switched = 0;
    const operate = async (args: readonly string[]): Promise<void> => {
      const { code, stdout, stderr } = await AssayCommand.run(place.dataDir, ['projections', ...args]);
      expect({ args, code, stdout, stderr, faults: load.faults.slice(0, 3) }).toMatchObject({
        code: 0,
        faults: [],
      });
      if (args[0] !== 'diff' && args[0] !== 'verify' && !args.includes('--hold'))
        switched += args.includes('--all') ? views.length : 1;
    };
    try {
      for (let round = 0; round < ROUNDS; round++) for (const args of ROUND) await operate(args);
      // Among them those that say who may read at all.
      await operate(['rebuild', '--all']);
    } finally {
      await load.end();
    }
    const { faults, ...figures } = await load.end();
    console.log(`${switched} times another generation served: ${JSON.stringify(figures)}`);
    expect(faults).toEqual([]);
    expect(figures.rate).toBeGreaterThan(RATE * 0.95);
    for (const args of AT_LAST) await operate(args);
    const output = service.output();
    endedWell(await service.stop());
    expect(output).not.toMatch(/"level":"?(error|fatal|50|60)/);
  } finally {
    await service.kill();
    await place.remove();
  }
});
