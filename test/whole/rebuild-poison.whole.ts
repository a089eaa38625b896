import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { signalRowId } from '../../projections/signal.js';
import { CommandContexts } from '../../src/core/command-context.js';
import { outcome, recordOutcome } from '../../src/domain/application/decider.js';
import { trial as session } from '../../src/domain/session/state.js';
import { startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { endedWell } from '../support/service.js';
import { KnownOrganisation } from './rebuild-organisation.js';
import { leftovers } from './rebuild-phases.js';
import { RebuildPlace } from './rebuild-place.js';
import { CheckedReader } from './rebuild-readers.js';

const SIZE = { roles: 2, completed: 3, started: 0, activities: 3 };

/**
 * Appends an outcome of a role that does not exist, which the signal cannot count.
 * @returns the event's id, and that of the row
 */
const poison = async (
  { stores }: RebuildPlace,
  { completed: [trial] }: KnownOrganisation,
): Promise<{ readonly event: string; readonly row: string }> => {
  const { streams, hasher } = stores;
  const [opening] = await streams.events(session, trial!.sessionId);
  const { organisationId, candidateId, applicationId, trialSessionId } = opening!.data;
  const ids = { organisationId, candidateId, applicationId, trialSessionId, roleId: randomUUID() };
  const context = new CommandContexts(hasher).forSystem({ type: 'system', id: 'test' }, 'poison');
  const done = await streams.handle(outcome, applicationId, context, (state) =>
    recordOutcome(state, {
      ...{ ids, actor: 'test', trial: { status: 'completed', version: 1 }, expectedVersion: null },
      ...{ humanRound: null, disposition: 'hired', reason: 'Written by a fault' },
    }),
  );
  expect(done).toMatchObject({ kind: 'done', recorded: true });
  const event = (await streams.events(outcome, applicationId)).at(-1)!.id;
  return { event, row: signalRowId(organisationId, ids.roleId) };
};

it('a poison event: shown, holds up only its own document, is refused by a rebuild, and can be skipped', async () => {
  const HEALTH_PORT = `${await freePort()}`;
  const place = await RebuildPlace.open(SIZE, { apart: false, env: { HEALTH_PORT } });
  const assay = (...args: readonly string[]) => startAssay(place.place.dataDir, args).ended();
  try {
    const { organisation: sick, stores } = place;
    const well = await KnownOrganisation.create(sick.owner.api, place.place.dataDir, 'well');
    await well.fill(SIZE);
    const [ofSick, ofWell] = [new CheckedReader(sick), new CheckedReader(well)];
    const goesOn = async (one: KnownOrganisation, reader: CheckedReader, name: string): Promise<void> => {
      await one.rename(one.roles[0]!, name);
      await reader.read('signal', true);
      await reader.read('roles', true);
      expect(reader.counted.faults).toEqual([]);
    };
    await goesOn(sick, ofSick, 'Before');
    const { event, row } = await poison(place, sick);

    // A summary without this event would look complete: every read of it, with or without a token, is refused.
    await sick.rename(sick.roles[0]!, 'Behind');
    await ofSick.read('roles', true);
    const { owner } = sick;
    for (const headers of [{ 'consistency-token': sick.token! }, {}]) {
      const behind = await owner.api.send('GET', sick.at('/signal'), { token: owner.token, headers });
      expect(behind).toMatchObject({ status: 503, body: { code: 'view_parked' } });
    }
    await goesOn(well, ofWell, 'Untouched');

    const health = await assay('health');
    expect(health).toMatchObject({ code: 0 });
    expect(health.out.replace(/\s+/g, ' ')).toContain('1 document of signal waits behind an event');
    const ready = await fetch(`http://127.0.0.1:${HEALTH_PORT}/health/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.text()).toContain('dead-letters list signal');
    const listed = await assay('dead-letters', 'list', '--json');
    expect(JSON.parse(listed.out)).toMatchObject({
      deadLetters: [
        {
          ...{ view: 'signal', document: row, waiting: 0 },
          event: { id: event, type: 'outcome.recorded' },
          why: { reason: expect.stringContaining('has no row to be counted in') },
        },
      ],
      stopped: [],
    });

    // A rebuild does not replace a complete generation by an incomplete one.
    const live = (await stores.readStore.pointers.get('signal'))?.live.name;
    const refused = await assay('projections', 'rebuild', 'signal');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain(event);
    expect(refused.err).toContain('has no row to be counted in');
    await eventually(
      async () => (await leftovers(place, 'signal', { held: false, former: false })).length === 0,
    );
    expect((await stores.readStore.pointers.get('signal'))?.live.name).toBe(live);
    await goesOn(well, ofWell, 'Still untouched');
    expect(await assay('dead-letters', 'retry', 'signal', '--all')).toMatchObject({ code: 1 });

    const skip = ['dead-letters', 'skip', 'signal', row, '--yes', '--reason'];
    expect(await assay(...skip, ' ')).toMatchObject({ code: 1 });
    expect(await assay(...skip, 'Its role was never there')).toMatchObject({ code: 0 });
    await ofSick.read('signal', true);
    await goesOn(sick, ofSick, 'Live again');
    expect(await assay('dead-letters', 'list')).toMatchObject({
      ...{ code: 0, out: 'Nothing is parked.\n' },
    });

    // The repaired document equals that of a rebuild from zero.
    expect(await assay('projections', 'verify', 'signal', '--all')).toMatchObject({ code: 0 });
    expect(await assay('projections', 'rebuild', 'signal')).toMatchObject({ code: 0 });
    expect(await assay('projections', 'diff', 'signal')).toMatchObject({ code: 0 });
    expect(await assay('projections', 'verify', 'signal', '--all')).toMatchObject({ code: 0 });
    await goesOn(sick, ofSick, 'At last');
    await goesOn(well, ofWell, 'At last');
    const ended = await place.stop();
    expect(ended).toHaveLength(1);
    endedWell(...ended);
  } finally {
    await place.remove();
  }
});
