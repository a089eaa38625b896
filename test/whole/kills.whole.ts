import { describe, expect, it } from '@jest/globals';
import { playRounds } from '../support/hiring-rounds.js';
import { serve, makePlace } from '../support/place.js';
import { endedWell } from '../support/service.js';
import { expectViewsToSurviveRebuilding } from '../support/whole-views.js';

const CANDIDATES = 100;
const FEWER = 24;
const AGREES = { code: 0, output: expect.stringContaining('Everything agrees') };

describe('many candidates and kill -9 in the middle', () => {
  it('24: of the service, twice: every figure agrees, and live views equal rebuilt ones', async () => {
    const place = await makePlace({ RATE_LIMITS: 'on' });
    const processes = await serve(place);
    const rounds = playRounds(place, FEWER, 7);
    try {
      for (const share of [0.2, 0.6]) {
        await rounds.played(FEWER * share);
        await processes.crashService();
      }
      expect(await rounds.ended()).toMatchObject(AGREES);
      const ended = await processes.stop();
      expect(ended).toHaveLength(1);
      endedWell(...ended);
      await expectViewsToSurviveRebuilding(place);
    } finally {
      rounds.kill();
      await processes.kill();
      await place.remove();
    }
  });

  it('100: of an API and a projector apart: every figure agrees, and live views equal rebuilt ones', async () => {
    const place = await makePlace({ RATE_LIMITS: 'on', PROJECTOR: 'off' });
    const processes = await serve(place, true);
    const rounds = playRounds(place, CANDIDATES, 8);
    try {
      await rounds.played(CANDIDATES * 0.2);
      await processes.crashProjector();
      await rounds.played(CANDIDATES * 0.4);
      await processes.crashService();
      await rounds.played(CANDIDATES * 0.6);
      await processes.crashService();
      await rounds.played(CANDIDATES * 0.8);
      await processes.crashProjector();
      expect(await rounds.ended()).toMatchObject(AGREES);
      const ended = await processes.stop();
      expect(ended).toHaveLength(2);
      endedWell(...ended);
      await expectViewsToSurviveRebuilding(place);
    } finally {
      rounds.kill();
      await processes.kill();
      await place.remove();
    }
  });
});
