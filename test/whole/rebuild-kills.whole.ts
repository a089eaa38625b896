import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidV7 } from 'uuid';
import { Random } from '../../tools/simulate/random.js';
import { startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { endedWell } from '../support/service.js';
import { expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';
import { leftovers, WAIT_LIMIT_MS, type Phase, phaseOf, PHASES, reaches } from './rebuild-phases.js';
import { isGone, RebuildPlace, type Victims } from './rebuild-place.js';
import { CheckedReader } from './rebuild-readers.js';

interface KillRound {
  readonly view: string;
  /** The phase in which the processes are killed; `any`: at a random moment. */
  readonly aim: Phase | 'any';
  readonly victims: Victims;
  readonly hold: boolean;
  /** Whether an operator cancels the rebuild, before or after the kill. */
  readonly cancel: 'before' | 'after' | null;
  /** Whether it is requested by the operator's command instead of its event. */
  readonly byCommand: boolean;
  readonly segments: number;
}

interface KilledIn {
  readonly phase: Phase;
  readonly killed: number;
  readonly result: string;
}

/** About the duration of a rebuild, in milliseconds. */
const MAX_MS = 1_000;

const randomRound = (random: Random, aim: KillRound['aim']): KillRound => ({
  aim,
  view: random.weighted([
    ['signal', 2],
    ['evidence', 2],
    ['applications', 1],
  ]),
  victims: random.weighted([
    ['all', 3],
    ['builder', 2],
    ['parent', 1],
  ]),
  hold: random.chance(0.2),
  cancel: random.weighted([
    [null, 5],
    ['before', 1],
    ['after', 1],
  ]),
  byCommand: random.chance(0.15),
  segments: random.pick([1, 1, 2, 4]),
});

/**
 * Plays a rebuild whose processes are killed at some moment, and started again.
 * @throws {Error} it does not end, or leaves something behind
 */
const playKillRound = async (place: RebuildPlace, round: KillRound, random: Random): Promise<KilledIn> => {
  const { requests } = place;
  const { view, hold, aim, cancel } = round;
  const operation = await ask(place, round);
  const cancels: string[] = [];
  if (cancel === 'before') {
    await sleep(random.between(0, MAX_MS));
    cancels.push(await giveUp(place, view));
  }
  if (aim === 'any') await sleep(random.between(0, MAX_MS));
  else {
    await reaches(place, view, operation, aim);
    // In the middle of a long phase; at once in a short one.
    if (aim === 'building' || aim === 'ended') await sleep(random.between(0, 400));
  }
  const phase = await phaseOf(place, view, operation);
  const killed = place.kill(round.victims);
  if (cancel === 'after') cancels.push(await giveUp(place, view));
  await eventually(async () => killed.every(isGone));
  await place.restart();

  for (const id of [operation, ...cancels])
    await within(
      WAIT_LIMIT_MS,
      `The operation ${id} never ended.`,
      async () => !(await requests.state()).open.has(id),
    );
  const outcome = await requests.outcome(operation);
  const result = outcome?.result ?? 'open';
  if (result === 'failed') throw new Error(`The rebuild of "${view}" failed: ${outcome?.message ?? ''}`);
  const held = hold && result === 'done' && cancels.length === 0;
  await clean(place, view, held);
  if (held) {
    await within(WAIT_LIMIT_MS, 'What was held is never removed.', async () => {
      const id = await giveUp(place, view);
      await within(
        WAIT_LIMIT_MS,
        `The operation ${id} never ended.`,
        async () => !(await requests.state()).open.has(id),
      );
      return true;
    });
    await clean(place, view, false);
  }
  return { phase, killed: killed.length, result };
};

const ask = async (
  { place, requests }: RebuildPlace,
  { view, hold, segments, byCommand }: KillRound,
): Promise<string> => {
  if (!byCommand) {
    const id = uuidV7();
    await requests.ask({ id, kind: 'rebuild', view, segments, hold });
    return id;
  }
  const options = ['--no-wait', '--json', '--segments', `${segments}`, ...(hold ? ['--hold'] : [])];
  const { code, out, err } = await startAssay(place.dataDir, [
    ...['projections', 'rebuild', view],
    ...options,
  ]).ended();
  if (code !== 0) throw new Error(`The command ended with ${code}: ${err}`);
  return (JSON.parse(out) as { readonly operation: string }).operation;
};

const giveUp = async ({ requests }: RebuildPlace, view: string): Promise<string> => {
  const id = uuidV7();
  await requests.ask({ id, kind: 'cancel', view });
  return id;
};

const clean = async (place: RebuildPlace, view: string, held: boolean): Promise<void> => {
  let found: readonly string[] = [];
  try {
    await within(WAIT_LIMIT_MS, 'Something is left over', async () => {
      found = await leftovers(place, view, { held, former: false });
      return found.length === 0;
    });
  } catch (error) {
    throw new Error(`${String(error)}: ${found.join('; ')}\n${place.output()}`, { cause: error });
  }
};

const within = async (ms: number, otherwise: string, look: () => Promise<boolean>): Promise<void> => {
  const until = performance.now() + ms;
  while (!(await look())) {
    if (performance.now() > until) throw new Error(otherwise);
    await sleep(20);
  }
};

const SIZE = { roles: 5, completed: 20, started: 4, activities: 400 };
/** A former generation is removed at once, so that the test can see that nothing is left. */
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
      // Every later answer is right, too, and shows later writes.
      await organisation.rename(random.pick(organisation.roles), `Role ${100 + n}`);
      // A read with a token is answered 503 until the restarted projector feeds every view.
      await eventually(() => organisation.isShown(), WAIT_LIMIT_MS);
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

/** @param apart with a projector apart: the API is not killed, and is read all the time */
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
  // At the same time, since they mostly wait: for killed processes to start again, and for later removals.
  const survived = await Promise.allSettled([survive(14, 1), survive(14, 2), survive(22, 3, true)]);
  const played = survived.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  console.log(`killed in: ${inWords(played.flat())}`);
});
