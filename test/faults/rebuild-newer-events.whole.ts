import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamName } from '../../src/core/event-store.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores, type Stores } from '../../src/process/stores.js';
import { projections, startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { spawnService, type Spawned } from '../support/service.js';
import { beginDataFolder } from './backup-command.js';

/** Events of a newer version of the service: of a known type in a newer version, and of an unknown type. */
const appendOfTomorrow = async ({ eventStore }: Stores): Promise<string> => {
  for await (const { type, data, metadata } of eventStore.readAll({})) {
    if (type !== 'organisation.created') continue;
    const text = Buffer.from(metadata).toString();
    const newer = Buffer.from(JSON.stringify({ ...(JSON.parse(text) as object), schemaVersion: 99 }));
    const id = randomUUID();
    await eventStore.append('organisation-tomorrow' as StreamName, 'no-stream', [
      { id: randomUUID(), type: 'organisation.dreamt', data, metadata },
      { id, type, data, metadata: newer },
    ]);
    return id;
  }
  throw new Error('There is no organisation yet.');
};

describe('An event of a newer version than the code', () => {
  let dataDir: string;
  let projector: Spawned;
  let stores: Stores;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-newer-'));
    await beginDataFolder(dataDir);
    projector = spawnService(dataDir, { entry: 'bin/projector.js', env: { LOG_LEVEL: 'error' } });
    const flags = ['--name', 'Example', '--owner-email', 'olga@example.org'];
    expect(await startAssay(dataDir, ['organisations', 'create', ...flags]).ended()).toMatchObject({
      code: 0,
    });
    stores = await openStores(readConfiguration({ DATA_DIR: dataDir }));
    await eventually(async () => (await stores.readStore.pointers.get('organisations')) !== null);
  });

  afterAll(async () => {
    await projector.kill();
    await stores.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('holds up the view and its rebuild; the operator sees the reason, and everything else works', async () => {
    const id = await appendOfTomorrow(stores);
    const said = new RegExp(`is blocked\\. It stopped at the event ${id} .* was written by a newer version`);
    const watching = startAssay(dataDir, ['projections', 'rebuild', 'organisations']);
    await watching.printed(said);
    watching.process.kill('SIGINT');
    expect(await watching.ended()).toMatchObject({
      code: 130,
      err: expect.stringContaining('continues without'),
    });

    const settings = { DATA_DIR: dataDir };
    const status = await projections(settings, 'status', 'organisations');
    expect(status).toMatchObject({ code: 0, out: expect.stringMatching(said) });
    const machine = await projections(settings, 'status', 'organisations', '--json');
    const { generations } = JSON.parse(machine.out) as { generations: { inTheWay: string | null }[] };
    expect(generations.map(({ inTheWay }) => inTheWay)).toEqual(
      ['live', 'next'].map(() => expect.stringContaining(id)),
    );
    // It does not hold up a view that does not handle its type.
    expect(await projections(settings, 'rebuild', 'roles')).toMatchObject({ code: 0 });
    expect(await projections(settings, 'cancel', 'organisations', '--yes')).toMatchObject({ code: 0 });
    expect(await stores.readStore.pointers.get('organisations')).toMatchObject({ next: null });
    expect(projector.child.exitCode).toBeNull();
  });
});
