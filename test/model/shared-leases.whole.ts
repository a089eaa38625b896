import { describe, expect, it } from '@jest/globals';
import { Leases } from '../../src/engine/ownership/leases.js';
import { MemoryDatabase, openMemoryReadStore } from '../support/memory-read-store.js';
import { Random } from './random.js';

const SCHEDULES = Number(process.env['MODEL_LEASE_SCHEDULES'] ?? 60);
const SEGMENTS = [
  'a.v1.g1.1of2',
  'a.v1.g1.2of2',
  'b.v1.g1.1of1',
  'c.v1.g1.1of3',
  'c.v1.g1.2of3',
  'c.v1.g1.3of3',
];

/** With the segments of a generation that only newer code folds. */
const NEW_SEGMENTS = [...SEGMENTS, 'd.v2.g7.1of2', 'd.v2.g7.2of2'];
/** The lease of a rebuild: every process may hold it, and it is assigned to none. */
const BUILDER = 'build.a.v1.g2';
/** Segments with an event of a type that only newer code can fold. */
const STOPPED = SEGMENTS.slice(2, 4);
/** Seconds within which each segment must be held by exactly one process that can fold it. */
const FED_WITHIN = 10;
/** Turns of the event loop in a second of the model. A late answer takes some turns, rarely some seconds. */
const TURNS = 50;

interface Process {
  readonly leases: Leases;
  readonly isOld: boolean;
  readonly segments: readonly string[];
  /** How often in a row the process could not fold a segment that it held. */
  readonly failures: Map<string, number>;
  readonly clock: { now: number };
  readonly terms: Map<string, AbortSignal>;
  /** The number of steps for which the process is suspended. */
  asleep: number;
  /** `false`: it has died, and none of its calls to the store takes effect any more. */
  alive: boolean;
}

/**
 * Runs processes that start, stop, die and are suspended. Their store answers late, fails before or after a call took
 * effect, and is unreachable at times. With `versions` some processes run older code: it lacks one generation, and it
 * cannot fold some segments for a while. Once the faults end, every segment must be held by exactly one process that
 * can fold it, and a rebuild by one builder; without `versions`, segments must also be distributed evenly.
 */
async function runSchedule(seed: number, versions: boolean): Promise<void> {
  const random = new Random(seed);
  const database = new MemoryDatabase();
  const abort = new AbortController();
  const all: Process[] = [];
  let chaos = true;
  let away = false;
  let isStopped = false;
  let longest = 0;

  const trouble = async (process: Process): Promise<void> => {
    if (!process.alive) await new Promise(() => undefined);
    const longest = random.chance(0.01) ? 12 * TURNS : 3;
    for (let n = random.below(longest); n > 0 && chaos; n--) await turn();
    if (away || (chaos && random.chance(0.03))) throw new Error('The store is away.');
  };

  function come(): void {
    const hook = (): Promise<void> => trouble(process);
    const clock = { now: random.below(1e9) };
    const leases = new Leases({
      leases: openMemoryReadStore(database, { before: hook, after: hook }).leases,
      owner: `owner ${all.length}`,
      now: () => clock.now,
      timings: { renewMs: 3_600_000, deadMs: 5000 },
    });
    const isOld = versions && random.chance(0.5);
    const segments = versions && !isOld ? NEW_SEGMENTS : SEGMENTS;
    const process: Process = {
      ...{ leases, clock, isOld, segments, failures: new Map(), terms: new Map() },
      ...{ asleep: 0, alive: true },
    };
    all.push(process);
    for (const name of [...segments, BUILDER]) void want(process, name);
    leases.share(segments);
  }

  const folds = ({ isOld, segments }: Process, name: string): boolean =>
    name === BUILDER || (segments.includes(name) && !(isOld && isStopped && STOPPED.includes(name)));

  /** A try to fold the segments that it holds, as the loop of a segment does. */
  function fold(process: Process): void {
    const { leases, failures, segments } = process;
    for (const name of segments) {
      if (!leases.holds(name)) continue;
      if (folds(process, name)) failures.delete(name);
      else {
        const failed = failures.get(name) ?? 0;
        failures.set(name, failed + 1);
        void leases.giveUp(name, Math.min(10_000, 1000 * 2 ** failed)).then(() => want(process, name));
      }
    }
  }

  async function want({ leases, terms }: Process, name: string): Promise<void> {
    terms.set(name, await leases.acquired(name, abort.signal));
  }

  async function second(process: Process): Promise<void> {
    process.clock.now += 900 + random.below(200);
    if (process.asleep > 0) {
      process.asleep--;
      return;
    }
    void process.leases.tick();
    for (let n = 0; n < TURNS - 10; n++) await turn();
    for (const [name, term] of process.terms) {
      if (!term.aborted) continue;
      process.terms.delete(name);
      // A lease that is not shared is never handed over.
      const ended = name === BUILDER ? Promise.resolve() : process.leases.giveUp(name);
      void ended.then(() => want(process, name));
    }
    fold(process);
    for (let n = 0; n < 10; n++) await turn();
  }

  const living = (): Process[] => all.filter(({ alive }) => alive);

  function unevenness(): number {
    const sizes = living().map(
      ({ leases, segments }) => segments.filter((name) => leases.holds(name)).length,
    );
    return Math.max(...sizes) - Math.min(...sizes);
  }

  /** Segments that a living process can fold or build, but that not exactly one such process holds. */
  const wrong = (): readonly string[] =>
    [...NEW_SEGMENTS, BUILDER]
      .filter((name) => living().some((process) => folds(process, name)))
      .filter((name) => {
        const holders = living().filter(({ leases }) => leases.holds(name));
        return holders.length !== 1 || !folds(holders[0]!, name);
      });

  function upset(): void {
    const chosen = living()[random.below(living().length)];
    if (random.chance(0.1)) away = !away;
    if (versions && random.chance(0.1)) isStopped = !isStopped;
    if (random.chance(0.15) && living().length < 4) come();
    if (chosen === undefined || living().length === 1) return;
    if (random.chance(0.1)) chosen.asleep = random.below(12);
    const fate = random.next();
    if (fate < 0.05) chosen.alive = false;
    else if (fate < 0.1) void chosen.leases.stop().then(() => (chosen.alive = false));
  }

  come();
  for (let step = 0; step < 40; step++) {
    upset();
    for (const process of living()) await second(process);
  }
  chaos = false;
  away = false;
  for (const process of all) process.asleep = 0;
  const since = new Map<string, number>();
  for (let step = 0; step < 25; step++) {
    for (const process of living()) await second(process);
    const now = wrong();
    for (const name of since.keys()) if (!now.includes(name)) since.delete(name);
    for (const name of now) since.set(name, (since.get(name) ?? 0) + 1);
    longest = Math.max(longest, ...since.values());
  }
  expect(longest).toBeLessThanOrEqual(FED_WITHIN);
  expect(wrong()).toEqual([]);
  for (const { leases } of living())
    if (leases.holds(BUILDER)) expect((await leases.acquired(BUILDER, abort.signal)).aborted).toBe(false);
  if (!versions) expect(unevenness()).toBeLessThanOrEqual(1);
  abort.abort();
  await Promise.all(living().map(({ leases }) => leases.stop()));
}

/** Runs everything that does not wait for the clock. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The leases of segments', () => {
  it.each([
    ['processes of one version', false],
    ['processes of two versions', true],
  ])(
    'come to be held by one process each that can fold them, and those of builds by one, among %s',
    async (_, versions) => {
      for (let seed = 1; seed <= SCHEDULES; seed++) {
        try {
          await runSchedule(seed, versions);
        } catch (error) {
          throw new Error(`The schedule with seed ${seed} did not settle.`, { cause: error });
        }
      }
    },
  );
});
