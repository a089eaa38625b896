import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryDatabase, openMemoryReadStore } from '../../test/support/memory-read-store.js';
import { DAY_MS, HOUR_MS } from '../core/timestamp.js';
import type { Heartbeat } from '../stores/read-store.js';
import { type Irrevocable, judge, type Reading } from './clock-judgement.js';
import { clockNotice, confirmClock, TrustedClock } from './trusted-clock.js';

const MINUTE = 60_000;
const YEARS = 2 * 365 * DAY_MS;
const NOW = Date.parse('2026-01-05T09:00:00.000Z');

/** A machine: its monotonic clock advances with time, its wall clock is wrong by `offBy` milliseconds. */
class Machine {
  offBy = 0;
  bootedAt = NOW;
  constructor(
    readonly time: { now: number },
    readonly database: MemoryDatabase,
    readonly server: { offBy: number } | null = null,
  ) {}

  /** @returns a process of it; a restart is another one */
  process() {
    const { clock: store } = openMemoryReadStore(this.database);
    const warnings: string[] = [];
    const clock = new TrustedClock({
      store: {
        ...store,
        serverTime: async () => (this.server === null ? null : this.time.now + this.server.offBy),
      },
      read: (): Reading => ({ wall: this.time.now + this.offBy, monotonic: this.time.now - this.bootedAt }),
      log: { info: () => undefined, error: () => undefined, warn: (_, sentence) => warnings.push(sentence) },
    });
    const may = async (what: Irrevocable): Promise<boolean> => (await clock.nowIfTrusted(what)) !== null;
    return { clock, warnings, may };
  }
}

let time: { now: number };
let machine: Machine;
let database: MemoryDatabase;
type Process = ReturnType<Machine['process']>;

beforeEach(() => {
  time = { now: NOW };
  database = new MemoryDatabase();
  machine = new Machine(time, database);
});

/** Lets time pass while these processes run. */
const run = async (ms: number, ...processes: readonly Process[]): Promise<void> => {
  const end = time.now + ms;
  for (const { clock } of processes) await clock.beat();
  while (time.now < end) {
    time.now = Math.min(end, time.now + MINUTE);
    for (const { clock } of processes) await clock.beat();
  }
};

const stop = (ms: number): void => void (time.now += ms);

const outcome = async ({ may }: Process) => ({ end: await may('end'), erase: await may('erase') });
const ALL = { end: true, erase: true };
const ENDS = { end: true, erase: false };
const NOTHING = { end: false, erase: false };

describe('what cannot be undone', () => {
  it('is done in a new log at once, but for erasures, which wait for an hour', async () => {
    const first = machine.process();
    expect(await outcome(first)).toEqual(ENDS);
    await run(HOUR_MS - MINUTE, first);
    expect(await outcome(first)).toEqual(ENDS);
    await run(MINUTE, first);
    expect(await outcome(first)).toEqual(ALL);
    expect(first.warnings).toEqual([]);
  });

  it('waits for no event: a quiet log is no reason', async () => {
    const process = machine.process();
    await run(10 * DAY_MS, process);
    expect(await outcome(process)).toEqual(ALL);
  });

  it('goes on over restarts, of which the hour is made up too', async () => {
    for (let n = 0; n < 4; n++) {
      await run(15 * MINUTE, machine.process());
      stop(5 * MINUTE);
    }
    expect(await outcome(machine.process())).toEqual(ALL);
  });

  it('waits in a process that is started with a clock that is years ahead, and not in one that is right', async () => {
    await run(2 * HOUR_MS, machine.process());
    machine.offBy = YEARS;
    const wrong = machine.process();
    expect(await outcome(wrong)).toEqual(NOTHING);
    await run(HOUR_MS / 2, wrong);
    expect(await outcome(wrong)).toEqual(NOTHING);
    expect(wrong.warnings).toEqual([expect.stringContaining('730 days ahead of')]);
    machine.offBy = 0;
    expect(await outcome(machine.process())).toEqual(ENDS);
  });

  it('waits in a process whose clock jumps, from the very next question on', async () => {
    const process = machine.process();
    await run(2 * HOUR_MS, process);
    machine.offBy = YEARS;
    expect(await outcome(process)).toEqual(NOTHING);
    await run(30 * MINUTE, process);
    expect(await outcome(process)).toEqual(NOTHING);
    machine.offBy = 0;
    expect(await outcome(process)).toEqual(ENDS);
    await run(HOUR_MS, process);
    expect(await outcome(process)).toEqual(ALL);
    expect(clockNotice(process.clock)).toBeNull();
  });

  it('is done after an hour by a clock that nothing else contradicts, also over restarts', async () => {
    await run(2 * HOUR_MS, machine.process());
    machine.offBy = YEARS;
    await run(40 * MINUTE, machine.process());
    const second = machine.process();
    await run(15 * MINUTE, second);
    expect(await outcome(second)).toEqual(NOTHING);
    await run(10 * MINUTE, second);
    expect(await outcome(second)).toEqual(ALL);
  });

  it('is not done by a wrong clock while a right one runs beside it, however long', async () => {
    const right = machine.process();
    await run(2 * HOUR_MS, right);
    const other = new Machine(time, database);
    other.offBy = YEARS;
    const wrong = other.process();
    await run(5 * HOUR_MS, right, wrong);
    expect(await outcome(wrong)).toEqual(NOTHING);
    expect(await outcome(right)).toEqual(ALL);
  });

  it('goes on after a stop of a day, waits after a longer one', async () => {
    await run(2 * HOUR_MS, machine.process());
    stop(DAY_MS);
    expect(await outcome(machine.process())).toEqual(ENDS);
    stop(DAY_MS + MINUTE);
    const late = machine.process();
    expect(await outcome(late)).toEqual(NOTHING);
    await run(HOUR_MS, late);
    expect(await outcome(late)).toEqual(ALL);
  });

  it('goes on after a longer stop once an operator has confirmed the time; erasures wait all the same', async () => {
    await run(2 * HOUR_MS, machine.process());
    stop(30 * DAY_MS);
    const late = machine.process();
    expect(await outcome(late)).toEqual(NOTHING);
    await confirmClock(openMemoryReadStore(database).clock, new Date(time.now));
    stop(6_000);
    expect(await outcome(late)).toEqual(ENDS);
    await run(HOUR_MS, late);
    expect(await outcome(late)).toEqual(ALL);
  });

  it('goes on after a longer stop where the server’s clock says the same', async () => {
    const served = new Machine(time, database, { offBy: 0 });
    await run(2 * HOUR_MS, served.process());
    stop(30 * DAY_MS);
    expect(await outcome(served.process())).toEqual(ENDS);
    served.offBy = YEARS;
    expect(await outcome(served.process())).toEqual(NOTHING);
  });

  it('waits in a new log where the server’s clock says something else', async () => {
    const served = new Machine(time, database, { offBy: -30 * DAY_MS });
    expect(await outcome(served.process())).toEqual(NOTHING);
  });

  it('goes on after an outage of the store, however long, and after a process that stood still', async () => {
    const process = machine.process();
    await run(2 * HOUR_MS, process);
    stop(5 * DAY_MS);
    expect(await outcome(process)).toEqual(ALL);
  });

  it('goes on by a clock that is behind, but for erasures, and is warned of', async () => {
    await run(2 * HOUR_MS, machine.process());
    machine.offBy = -YEARS;
    const behind = machine.process();
    expect(await outcome(behind)).toEqual(ENDS);
    expect(behind.warnings).toEqual([expect.stringContaining('730 days behind')]);
    machine.offBy = 0;
    expect(await outcome(machine.process())).toEqual(ALL);
  });

  it('is warned of once for each trouble', async () => {
    const process = machine.process();
    await run(2 * HOUR_MS, process);
    machine.offBy = 2 * HOUR_MS;
    await run(20 * MINUTE, process);
    expect(process.warnings).toHaveLength(1);
    expect(await outcome(process)).toEqual(ENDS);
    expect(clockNotice(process.clock)).toContain('2 hours ahead of its own steady clock');
  });
});

describe('a clock, for any evidence', () => {
  const someMs = (max: number) => fc.integer({ min: 0, max });
  const heartbeat = fc.record({
    at: fc.integer({ min: NOW - 2 * YEARS, max: NOW + 2 * YEARS }),
    alikeMs: someMs(HOUR_MS),
    doubted: fc.option(
      fc.record({ at: fc.integer({ min: NOW - YEARS, max: NOW + YEARS }), alikeMs: someMs(HOUR_MS) }),
    ),
  });
  const evidence = fc.record({
    now: fc.record({
      wall: fc.integer({ min: NOW - YEARS, max: NOW + YEARS }),
      monotonic: fc.integer({ min: YEARS, max: 2 * YEARS }),
    }),
    last: fc.option(
      fc.record({ wall: fc.integer({ min: NOW - YEARS, max: NOW + YEARS }), monotonic: someMs(YEARS) }),
    ),
    heartbeat: fc.option(heartbeat),
    serverTime: fc.option(fc.integer({ min: NOW - YEARS, max: NOW + YEARS })),
  });

  it('ends nothing that neither monotonic clock, server, a day nor an hour explains, and erases less', () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const { now, last, heartbeat: recorded, serverTime } = given;
        const { may, heartbeat: next } = judge(given);
        const elapsed = last === null ? 0 : now.monotonic - last.monotonic;
        const isExplained =
          recorded === null
            ? serverTime === null || now.wall - serverTime <= DAY_MS + elapsed
            : now.wall - recorded.at <= elapsed + DAY_MS ||
              (serverTime !== null && Math.abs(now.wall - serverTime) <= MINUTE);
        const hadTheHour = next.doubted === null && next.alikeMs === HOUR_MS;
        expect(may.end).toBe(isExplained || hadTheHour);
        expect(may.erase).toBe(may.end && hadTheHour);
      }),
    );
  });

  it('erases nothing until processes have run for an hour, whatever restarts, stops and jumps there are', async () => {
    const step = fc.record({
      ranMs: fc.integer({ min: 0, max: 40 * MINUTE }),
      stoppedMs: fc.integer({ min: 0, max: 20 * MINUTE }),
      jumpMs: fc.oneof(fc.constant(0), fc.integer({ min: -YEARS, max: YEARS })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        time = { now: NOW };
        database = new MemoryDatabase();
        machine = new Machine(time, database);
        let allMs = 0;
        for (const { ranMs, stoppedMs, jumpMs } of steps) {
          machine.offBy += jumpMs;
          const process = machine.process();
          await run(ranMs, process);
          allMs += ranMs;
          if (allMs < HOUR_MS) expect(await process.may('erase')).toBe(false);
          stop(stoppedMs);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a heartbeat', () => {
  it('is recorded by each of many processes at once, none lost', async () => {
    const processes = Array.from({ length: 4 }, () => machine.process());
    await Promise.all(processes.map(({ clock }) => clock.beat()));
    const stored: Heartbeat | null = await openMemoryReadStore(database).clock.heartbeat();
    expect(stored?.revision).toBe(4);
  });
});
