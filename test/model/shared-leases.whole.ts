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

interface Process {
  readonly leases: Leases;
  readonly clock: { now: number };
  readonly terms: Map<string, AbortSignal>;
  /** Steps that it sleeps through. */
  asleep: number;
  /** After its death nothing that it asks of the store happens any more. */
  alive: boolean;
}

/**
 * Processes that come, leave, die and sleep, on a store that answers late, fails before or after a call took effect,
 * and is away at times: once that ends, every segment must come to be held by exactly one, evenly shared.
 */
async function runSchedule(seed: number): Promise<void> {
  const random = new Random(seed);
  const database = new MemoryDatabase();
  const abort = new AbortController();
  const all: Process[] = [];
  let chaos = true;
  let away = false;

  const trouble = async (process: Process): Promise<void> => {
    if (!process.alive) await new Promise(() => undefined);
    for (let n = chaos ? random.below(3) : 0; n > 0; n--) await turn();
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
    const process: Process = { leases, clock, terms: new Map(), asleep: 0, alive: true };
    all.push(process);
    for (const name of SEGMENTS) void want(process, name);
    leases.share(SEGMENTS);
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
    for (let n = 0; n < 40; n++) await turn();
    for (const [name, term] of process.terms) {
      if (!term.aborted) continue;
      process.terms.delete(name);
      void process.leases.giveUp(name).then(() => want(process, name));
    }
    for (let n = 0; n < 10; n++) await turn();
  }

  const living = (): Process[] => all.filter(({ alive }) => alive);

  function unevenness(): number {
    const sizes = living().map(({ leases }) => SEGMENTS.filter((name) => leases.holds(name)).length);
    return Math.max(...sizes) - Math.min(...sizes);
  }

  function upset(): void {
    const chosen = living()[random.below(living().length)];
    if (random.chance(0.1)) away = !away;
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
  for (let step = 0; step < 25; step++) for (const process of living()) await second(process);
  const holders = SEGMENTS.map((name) => living().filter(({ leases }) => leases.holds(name)).length);
  expect(holders).toEqual(SEGMENTS.map(() => 1));
  // One that was slow to take its share is offered it again after a minute.
  for (let step = 0; step < 200 && unevenness() > 1; step++) {
    for (const process of living()) await second(process);
  }
  expect(unevenness()).toBeLessThanOrEqual(1);
  abort.abort();
  await Promise.all(living().map(({ leases }) => leases.stop()));
}

/** Lets run what waits for no clock. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The leases of segments', () => {
  it('come to be held by one process each, evenly, whatever went before', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      try {
        await runSchedule(seed);
      } catch (error) {
        throw new Error(`The schedule with seed ${seed} did not settle.`, { cause: error });
      }
    }
  });
});
