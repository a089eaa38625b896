import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { playRounds } from '../support/hiring-rounds.js';
import { serve, makePlace } from '../support/place.js';
import { endedWell } from '../support/service.js';
import { expectViewsToSurviveRebuilding } from '../support/whole-views.js';

/** The same with 100 candidates: test/whole/kills.whole.ts. */
const CANDIDATES = 12;
const AGREES = { code: 0, output: expect.stringContaining('Everything agrees') };

describe('kill -9 in the middle of hiring rounds', () => {
  it('of an API and a projector apart: every figure agrees, and live views equal rebuilt ones', async () => {
    const place = await makePlace({ PROJECTOR: 'off' });
    const processes = await serve(place, true);
    const rounds = playRounds(place, CANDIDATES, 11);
    try {
      await rounds.begun();
      await sleep(300);
      await processes.crashProjector();
      await sleep(500);
      await processes.crashService();
      await sleep(300);
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
