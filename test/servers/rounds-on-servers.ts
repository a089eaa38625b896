import { expect } from '@jest/globals';
import { playRounds, type Rounds } from '../support/hiring-rounds.js';
import { endedWell } from '../support/service.js';
import { expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';
import { arrange, type Arrangement, type ArrangementOptions } from './arrangement.js';

const LAST_LINES = 12;
const AGREES = { code: 0, output: expect.stringContaining('Everything agrees') };

interface RoundsOptions extends ArrangementOptions {
  readonly candidates: number;
  readonly seed: number;
  /** Whether trials are completed by an interview over its socket. */
  readonly interviews?: boolean;
}

/**
 * Plays hiring rounds on servers while a disturbance runs. Then expects every figure to equal the simulation's own
 * count, and every view to equal a fold from the first event.
 */
export const roundsOnServers = async (
  { candidates, seed, interviews = false, ...options }: RoundsOptions,
  happen: (arrangement: Arrangement, playing: Rounds) => Promise<void>,
): Promise<void> => {
  const arrangement = await arrange(options);
  const playing = playRounds(arrangement, candidates, seed, interviews);
  try {
    await playing.begun();
    await happen(arrangement, playing);
    const end = await playing.ended();
    // Only the last lines: they name the differences, and a report cuts off long output.
    if (end.code !== 0) throw new Error(end.output.split('\n').slice(-LAST_LINES).join('\n'));
    expect(end).toMatchObject(AGREES);
    if (interviews) expect(end.output).toMatch(/ [1-9]\d* interviews of [1-9]\d* questions, /);
    await expectViewsToEqualAFoldFromZero(arrangement.direct);
    endedWell(...(await arrangement.stopService()));
  } catch (error) {
    process.stderr.write(arrangement.output());
    throw error;
  } finally {
    playing.kill();
    await arrangement.remove();
  }
};
