import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyJson } from '../faults/copy-command.js';
import { testEventStoreUrl } from '../support/eventstoredb/server.js';
import { playRounds } from '../support/hiring-rounds.js';
import { describeWithMongo } from '../support/mongodb/test-url.js';
import { makePlace, type Place } from '../support/place.js';
import { startService } from '../support/service.js';
import { dumpViews, expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';

type Settings = Readonly<Record<string, string>>;

describeWithMongo('an organisation that moves', (mongoUrl) => {
  const keyIn = async (place: Place, file: string) =>
    (await readFile(join(place.dataDir, file), 'utf8')).trim();

  const play = async (place: Place, settings: Settings, seed: number): Promise<void> => {
    const service = await startService({ dataDir: place.dataDir, env: { ...place.env, ...settings } });
    const direct = { ...settings, DATA_DIR: place.dataDir };
    const playing = playRounds({ urls: [place.url], direct }, 6, seed);
    try {
      expect(await playing.ended()).toMatchObject({
        code: 0,
        output: expect.stringContaining('Everything agrees'),
      });
      await expectViewsToEqualAFoldFromZero(direct);
    } finally {
      playing.kill();
      await service.stop();
    }
  };

  /** The views that a service makes of a place, from nothing. */
  const viewsOf = async (place: Place, settings: Settings) => {
    const service = await startService({ dataDir: place.dataDir, env: { ...place.env, ...settings } });
    try {
      await expectViewsToEqualAFoldFromZero({ ...settings, DATA_DIR: place.dataDir });
    } finally {
      await service.stop();
    }
    return dumpViews(place.dataDir, settings);
  };

  it('finds its views on servers as it left them in its folder, works there, and finds them at home again', async () => {
    const [home, away, back] = [await makePlace(), await makePlace(), await makePlace()];
    const events = await testEventStoreUrl();
    try {
      await play(home, {}, 31);
      const atHome = await dumpViews(home.dataDir);

      const servers = `${events.url},${mongoUrl()}`;
      expect(await copyJson(home.dataDir, servers)).toMatchObject({ equal: true });
      const keys = {
        DATA_KEY: await keyIn(home, 'data.key'),
        SIGNING_KEY: await keyIn(home, 'signing.key'),
      };
      const onServers = { ...keys, EVENTSTORE_URL: events.url, MONGODB_URL: mongoUrl() };
      expect(await viewsOf(away, onServers)).toEqual(atHome);

      await play(away, onServers, 32);
      const there = await dumpViews(away.dataDir, onServers);
      expect(there).not.toEqual(atHome);
      const returned = await copyJson(servers, back.dataDir, keys);
      expect(returned).toMatchObject({ equal: true });
      expect(returned.log.target).toEqual(returned.log.source);
      expect(await viewsOf(back, keys)).toEqual(there);
    } finally {
      await events.stop();
      await Promise.all([home, away, back].map((place) => place.remove()));
    }
  });
});
