import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Api, Person } from '../support/api.js';
import { startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { makePlace, type Place } from '../support/place.js';
import { startService } from '../support/service.js';
import { expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';
import {
  ALL,
  decoded,
  filesIn,
  holding,
  mentions,
  settled,
  story,
  TELLING,
  erasureEvents,
} from './erased-story.js';

describe('a restore from before an erasure', () => {
  let place: Place;
  let backups: string;
  let ada: Awaited<ReturnType<typeof story>>;

  beforeAll(async () => {
    place = await makePlace();
    backups = await mkdtemp(join(tmpdir(), 'assay-erasure-'));
    const service = await place.start();
    ada = await story(place, service);
    const saved = await startAssay(place.dataDir, ['backup', join(backups, 'older'), '--with-keys']).ended();
    expect(saved.code).toBe(0);
    expect((await ada.owner.post(`${ada.application}/erasure`)).status).toBe(202);
    await service.stop();
  });
  afterAll(async () => {
    await place.remove();
    await rm(backups, { recursive: true, force: true });
  });

  it('shows operators nothing of the erased person, by any command', async () => {
    const session = ada.session.split('/').at(-1) ?? '';
    const ids = { application: ada.application, evaluation: ada.evaluation };
    const streams = Object.entries(ids).map(([kind, path]) => `${kind}-${path.split('/').at(-1) ?? ''}`);
    const bundle = join(backups, 'evidence');
    const commands = [
      ...[`candidate-${ada.person}`, `trial-${session}`, ...streams].map((name) => ['streams', 'show', name]),
      ['events', 'tail', '--from', 'start', '--json'],
      ['evidence', 'verify'],
      ['evidence', 'export', '--session', session, '--out', bundle],
      ['dead-letters', 'list'],
      ['projections', 'verify', '--all'],
      ['evaluations', 'recompute', '--dry-run'],
    ];
    for (const command of commands) {
      const { code, out, err } = await startAssay(place.dataDir, command).ended();
      expect([command, code]).toEqual([command, 0]);
      expect(out).not.toBe('');
      expect([command, mentions(out + err, [...TELLING, ada.subject])]).toEqual([command, []]);
    }
    expect((await filesIn(bundle)).length).toBeGreaterThan(2);
    expect(await holding(bundle, [...TELLING, ada.subject])).toEqual([]);
  });

  it('with the tombstones erases again, in every stream, and leaves no erased person readable', async () => {
    const dataDir = join(backups, 'restored');
    const done = await startAssay(dataDir, [
      'restore',
      join(backups, 'older'),
      '--tombstones',
      place.dataDir,
    ]).ended();
    expect([done.code, done.err]).toEqual([0, expect.anything()]);
    expect(mentions(JSON.stringify(await decoded(dataDir)), [...TELLING, ada.subject])).toEqual([]);
    // The restored service gets the provider's files, so that the owner is the same: they are no part of a backup.
    await copyFile(join(place.dataDir, 'development-issuer.json'), join(dataDir, 'development-issuer.json'));
    const service = await startService({ dataDir, env: place.env });
    try {
      const owner = await new Api(service.url).as('owner@example.org');
      await eventually(async () => (await erasureEvents(dataDir, ada.person)).length === ALL.length);
      expect(await erasureEvents(dataDir, ada.person)).toEqual(ALL);
      await settled(owner, ada.application);
      expect((await owner.get(ada.evaluation)).status).toBe(410);
      expect((await owner.post(`${ada.application}/erasure`)).status).toBe(202);
      await expectViewsToEqualAFoldFromZero({ DATA_DIR: dataDir });
      expect(await holding(dataDir, TELLING)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});

describe('a crash in the middle of an erasure', () => {
  const places: Place[] = [];
  afterAll(async () => {
    for (const place of places) await place.remove();
  });

  it.each(['key', 'file'])('before the %s has gone is completed by the next start', async (where) => {
    const place = await makePlace({
      KILLED_BEFORE: where,
      NODE_OPTIONS: `--import ${resolve('dist/test/faults/killed-in-erasure.js')}`,
    });
    places.push(place);
    // The vault with each part in a file of its own, so that one of them can be made to fail.
    const dying = await startService({ dataDir: place.dataDir, env: place.env, entry: 'src/main.js' });
    const ada = await story(place, dying);
    await expect(ada.owner.post(`${ada.application}/erasure`)).rejects.toThrow();
    expect((await dying.ended()).signal).toBe('SIGKILL');
    const hasKey = async () =>
      (await filesIn(join(place.dataDir, 'vault', 'keys'))).some((file) => file.includes(ada.person));
    expect(await hasKey()).toBe(true);
    const service = await startService({
      dataDir: place.dataDir,
      env: { ...place.env, NODE_OPTIONS: '', KILLED_BEFORE: '' },
    });
    try {
      const owner = new Person(new Api(service.url), ada.owner.email, ada.owner.token);
      await settled(owner, ada.application);
      await eventually(async () => (await erasureEvents(place.dataDir, ada.person)).length === ALL.length);
      expect(await hasKey()).toBe(false);
      expect(existsSync(join(place.dataDir, 'vault', 'erased'))).toBe(true);
      expect((await owner.get(ada.evaluation)).status).toBe(410);
      expect((await owner.post(`${ada.application}/erasure`)).status).toBe(202);
      expect(await holding(place.dataDir, TELLING)).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
