import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Random } from '../../tools/simulate/plan.js';
import { eventually } from '../support/organisation.js';
import { expectViewsToEqualAFoldFromZero } from '../support/refolded-views.js';
import { type KilledIn, playKillRound, randomRound } from '../support/rebuild-kill-round.js';
import { PATIENCE_MS, PHASES } from '../support/rebuild-phases.js';
import { RebuildPlace } from '../support/rebuild-place.js';
import { CheckedReader } from '../support/rebuild-readers.js';
import { endedWell } from '../support/service.js';

const SIZE = { roles: 5, completed: 20, started: 4, activities: 400 };
/** A generation that served before is removed at once, so that it can be seen that nothing stays. */
const SETTINGS = { ROLLBACK_MINUTES: '0' };
const AIMS = [
  'any',
  'building',
  'freezing',
  'any',
  'built',
  'promoted',
  'asked',
  'building',
  'ended',
] as const;

const playRounds = async (
  place: RebuildPlace,
  rounds: number,
  seed: number,
): Promise<readonly KilledIn[]> => {
  const { organisation } = place;
  const random = new Random(seed);
  const reader = new CheckedReader(organisation);
  const played: KilledIn[] = [];
  for (let n = 0; n < rounds; n++) {
    const round = randomRound(random, AIMS[n % AIMS.length] ?? 'any');
    try {
      played.push(await playKillRound(place, round, random));
      // Every answer after it is right as well, and moves on.
      await organisation.rename(random.pick(organisation.roles), `Role ${100 + n}`);
      // Until a projector that was started again feeds every view, a read with a token is told to try again.
      await eventually(() => organisation.isShown(), PATIENCE_MS);
      await reader.read('signal', true);
      await reader.read('roles', true);
    } catch (error) {
      throw new Error(`Round ${n}, ${JSON.stringify(round)}: ${String(error)}\n${place.output()}`, {
        cause: error,
      });
    }
    expect(reader.counted.faults).toEqual([]);
  }
  return played;
};

const readOnAndOn = async (reader: CheckedReader, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    await reader.read('signal', false);
    await sleep(20);
  }
};

const inWords = (played: readonly KilledIn[]): string =>
  PHASES.map((phase) => `${played.filter((one) => one.phase === phase).length} ${phase}`).join(', ');

/** @param apart the API, which nobody kills, is read all the while */
const survive = async (rounds: number, seed: number, apart = false): Promise<readonly KilledIn[]> => {
  const place = await RebuildPlace.open(SIZE, { apart, env: SETTINGS });
  const reader = new CheckedReader(place.organisation);
  const over = new AbortController();
  const reading = apart ? readOnAndOn(reader, over.signal) : Promise.resolve();
  try {
    const played = await playRounds(place, rounds, seed);
    over.abort();
    await reading;
    expect(reader.counted.faults).toEqual([]);
    await expectViewsToEqualAFoldFromZero(place.settings);
    endedWell(...(await place.stop()));
    return played;
  } finally {
    over.abort();
    await reading;
    await place.remove();
  }
};

it('kill -9 at 50 moments of a rebuild, of a service with its builder and of a projector: each ends, nothing is left over', async () => {
  // At the same time, since they mostly wait: for what was killed to be there again, for what is removed after a while.
  const survived = await Promise.allSettled([survive(14, 1), survive(14, 2), survive(22, 3, true)]);
  const played = survived.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  console.log(`killed in: ${inWords(played.flat())}`);
});
