import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { generationsOf, SWEEP_AFTER_MS } from '../../src/engine/generations/generations.js';
import type { Generation } from '../../src/stores/read-store.js';
import { Fleet, type Death, type FleetProcess } from '../model/fleet.js';
import { eventuallyHolds } from '../support/eventually.js';
import { added } from '../support/projection-rig.js';

type Which = 'first' | 'new';

const whichOf = (generation: Generation | undefined): Which | null =>
  generation === undefined ? null : generation.number === 1 ? 'first' : 'new';

/** An operator's request, the state before it, and the state once it is done. */
interface Course {
  readonly name: string;
  readonly graceMs?: number;
  readonly before: (fleet: Fleet) => Promise<void>;
  readonly ask: (fleet: Fleet) => Promise<string>;
  /** Kinds of calls that the course must make, so that none of them remains untested by mistake. */
  readonly through: readonly string[];
  /** The live, the next and the former generation. A process that died may have used up a generation number. */
  readonly after: readonly [live: Which, next: Which | null, former: Which | null];
  readonly promotions: number;
}

const rebuild = { kind: 'rebuild', segments: 2, hold: false } as const;
const hold = { kind: 'rebuild', segments: 3, hold: true } as const;
const SWAP = 'pointers.swap';
const ENDED = 'append operation.ended';
const PROMOTED = 'append generation.promoted';
const nothing = async (): Promise<void> => undefined;
const done = async (fleet: Fleet, asking: Parameters<Fleet['ask']>[0]): Promise<void> => {
  expect(await fleet.carriedOut(asking)).toMatchObject({ result: 'done' });
};

const courses: readonly Course[] = [
  {
    name: 'a rebuild whose former generation is let go at once',
    graceMs: 0,
    before: nothing,
    ask: (fleet) => fleet.ask(rebuild),
    through: ['pointers.nextNumber', SWAP, 'apply', 'checkpoints.advance', PROMOTED, ENDED, 'drop'],
    after: ['new', null, null],
    promotions: 1,
  },
  {
    name: 'the promotion of what was held',
    before: (fleet) => done(fleet, hold),
    ask: (fleet) => fleet.ask({ kind: 'promote', acceptDifferences: false }),
    through: [SWAP, PROMOTED, ENDED],
    after: ['new', null, 'first'],
    promotions: 1,
  },
  {
    name: 'a roll-back',
    before: (fleet) => done(fleet, rebuild),
    ask: (fleet) => fleet.ask({ kind: 'rollback' }),
    through: [SWAP, PROMOTED, ENDED],
    after: ['first', null, 'new'],
    promotions: 2,
  },
  {
    name: 'the cancelling of what was held',
    before: (fleet) => done(fleet, hold),
    ask: (fleet) => fleet.ask({ kind: 'cancel' }),
    through: [SWAP, 'drop', ENDED],
    after: ['first', null, null],
    promotions: 0,
  },
];

/** Plays a course in which the working process dies once and another one takes over. @returns whether it died */
async function run(
  course: Course,
  death: Death | null,
): Promise<{ readonly died: boolean; readonly calls: readonly string[] }> {
  const fleet = new Fleet();
  const { graceMs = 60_000 } = course;
  const settings = { graceMs, feed: { pageEvents: 2 } };
  try {
    const first = await fleet.start({ feed: settings.feed });
    await fleet.append(added('a', 1), added('b', 2), added('c', 3), added('a', 4));
    await fleet.documents((await fleet.pointer()).live);
    await course.before(fleet);
    await first.stop();

    const id = await course.ask(fleet);
    const dying = await fleet.start({ ...settings, ...(death && { death }) });
    const died = await Promise.race([dying.died.then(() => true), quiet(fleet, id, dying)]);
    const calls = [...dying.calls];
    // Both generations must have these events, too, which are appended while no process runs.
    await fleet.append(added('b', 5), added('d', 6));
    await dying.stop();
    await fleet.start(settings);

    expect(await fleet.ended(id)).toMatchObject({ result: 'done' });
    await eventuallyHolds(async () => {
      const pointer = await fleet.pointer();
      const { live, next, former, freeze } = pointer;
      expect([whichOf(live), whichOf(next?.generation), whichOf(former?.generation)]).toEqual(course.after);
      expect(freeze).toBeNull();
      expect(await fleet.readStore.generations()).toEqual(
        generationsOf(pointer)
          .map(({ name }) => name)
          .sort(),
      );
    });
    for (const generation of generationsOf(await fleet.pointer()))
      expect(await fleet.documents(generation)).toEqual(fleet.expected());
    const events = await fleet.events();
    const count = (type: string): number => events.filter((event) => event.type === type).length;
    expect(count('generation.promoted')).toBe(course.promotions);
    expect(
      events.filter(({ type, data }) => type === 'operation.ended' && data.operation === id),
    ).toHaveLength(1);
    return { died, calls };
  } catch (error) {
    throw new Error(`Died at ${JSON.stringify(death)}.`, { cause: error });
  } finally {
    await fleet.close();
  }
}

/** Resolves once the operation has ended and no cleanup is left. */
async function quiet(fleet: Fleet, id: string, { calls }: FleetProcess): Promise<boolean> {
  await fleet.ended(id);
  for (let seen = -1; seen !== calls.length;) {
    seen = calls.length;
    // A released generation is removed at the next poll.
    await sleep(SWEEP_AFTER_MS + 500, undefined, { ref: false });
  }
  return false;
}

/** Each call of a course; of a kind with many calls only the first ones. */
const deathsIn = (calls: readonly string[]): readonly Death[] =>
  [...new Set(calls)].flatMap((kind) => {
    const count = calls.filter((call) => call === kind).length;
    return Array.from({ length: MANY.includes(kind) ? 2 : count }, (_, n) => ({ kind, nth: n + 1 }));
  });

const MANY = ['apply', 'checkpoints.advance'];
const AT_ONCE = 8;

describe('A process that dies after any call that changes a store, and is followed by another', () => {
  it.each(courses)('does not prevent $name, which ends once and leaves nothing behind', async (course) => {
    const { calls } = await run(course, null);
    for (const call of course.through) expect(calls).toContain(call);
    const deaths = [...deathsIn(calls)];
    const outcomes: boolean[] = [];
    const next = async (): Promise<void> => {
      for (let death = deaths.pop(); death !== undefined; death = deaths.pop())
        outcomes.push((await run(course, death)).died);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    expect(outcomes.length).toBeGreaterThan(4);
    expect(outcomes).not.toContain(false);
  });
});
