import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EvaluationBodies } from '../api/evaluations/bodies.js';
import type { StaffEvaluations } from '../api/evaluations/staff-evaluations.js';
import { type CandidateExport, CandidateExportController } from '../api/export/candidate-export.js';
import type { Caller } from '../application/caller.js';
import type { Freshness, Reads } from '../application/reads.js';
import { reasonOf } from '../engine/errors.js';
import type { Vault } from '../vault/port.js';
import { FairTurns } from './fair-turns.js';
import type { RequestMeta } from './meta.js';

/** Keeps the event loop busy, as writing a piece does. */
const busy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

/** An answer of so many pieces; calls `made` for each. */
async function* answer(count: number, made: () => void, ms = 2): AsyncGenerator<number, void, undefined> {
  for (let piece = 0; piece < count; piece++) {
    busy(ms);
    made();
    yield piece;
  }
}

const drain = async (pieces: AsyncGenerator<unknown, void, undefined>): Promise<number> => {
  let count = 0;
  for await (const piece of pieces) count += piece === undefined ? 0 : 1;
  return count;
};

describe('long answers, however many are made at once', () => {
  /** The most pieces that are made in one turn of the event loop. */
  const mostInATurn = async (work: (made: () => void) => Promise<unknown>): Promise<number> => {
    let made = 0;
    let most = 0;
    let going = true;
    const others = (): void => {
      most = Math.max(most, made);
      made = 0;
      if (going) setImmediate(others);
    };
    setImmediate(others);
    await work(() => made++);
    going = false;
    return most;
  };

  it('leave other requests a turn of the event loop after each piece', async () => {
    const turns = new FairTurns();
    const most = await mostInATurn(async (made) => {
      const all = Array.from({ length: 10 }, (_, index) =>
        drain(turns.pieces(`caller ${index % 2}`, answer(20, made))),
      );
      expect(await Promise.all(all)).toEqual(Array(10).fill(20));
    });
    expect(most).toBe(1);
  });

  it('do so as exports of candidates', async () => {
    const most = await mostInATurn(async (made) => {
      const begin = async () =>
        (async function* () {
          for await (const piece of answer(20, made)) yield Buffer.from(String(piece));
        })();
      const controller = new CandidateExportController({ begin } as unknown as CandidateExport);
      const read = (subject: string) =>
        controller.read({ method: 'GET' } as RequestMeta, { subject } as Caller);
      await Promise.all(Array.from({ length: 10 }, (_, index) => read(`candidate ${index}`)));
    });
    expect(most).toBe(1);
  });

  it('do so as evaluations of staff', async () => {
    const most = await mostInATurn(async (made) => {
      const found = { id: 'e', position: '1', stamp: 's', document: { candidateId: 'c', generation: 1 } };
      const inPieces = async () => ({
        version: 1,
        sources: [],
        pieces: (async function* () {
          for await (const piece of answer(20, made)) yield Buffer.from(String(piece));
        })(),
      });
      const reads = { getAt: () => Promise.resolve(found) } as unknown as Reads;
      const vault = { keys: { get: () => Promise.resolve(null) } } as unknown as Vault;
      const bodies = new EvaluationBodies(reads, { inPieces } as unknown as StaffEvaluations, vault);
      const freshness = { token: null } as unknown as Freshness;
      const read = (n: number) =>
        bodies.bodyOf({ ...found, id: `e${n}` } as never, null, freshness, `staff ${n}`);
      const read10 = await Promise.all(Array.from({ length: 10 }, (_, n) => read(n)));
      expect(read10.map((one) => one?.version)).toEqual(Array(10).fill(1));
    });
    expect(most).toBe(1);
  });

  it('are made by turns of their callers, whatever the number that each has asked for', async () => {
    const turns = new FairTurns();
    const order: string[] = [];
    const of = (caller: string) =>
      drain(
        turns.pieces(
          caller,
          answer(10, () => order.push(caller)),
        ),
      );
    const greedy = Array.from({ length: 9 }, () => of('greedy'));
    await of('modest');
    const before = order.length;
    await Promise.all(greedy);
    expect(order).toHaveLength(100);
    expect(before).toBeLessThanOrEqual(22);
  });

  it('are made by turns of candidates, whatever the number of exports that each has asked for', async () => {
    const order: string[] = [];
    const begin = async ({ subject }: Caller) =>
      (async function* () {
        for await (const piece of answer(10, () => order.push(subject), 0)) yield Buffer.from(String(piece));
      })();
    const controller = new CandidateExportController({ begin } as unknown as CandidateExport);
    const read = (subject: string) =>
      controller.read({ method: 'GET' } as RequestMeta, { subject } as Caller);
    const greedy = Array.from({ length: 9 }, () => read('greedy'));
    await read('modest');
    const before = order.length;
    await Promise.all(greedy);
    expect(order).toHaveLength(100);
    expect(before).toBeLessThanOrEqual(22);
  });

  it('do not wait for one whose store does not answer', async () => {
    const turns = new FairTurns();
    const stuck = (async function* (): AsyncGenerator<number, void, undefined> {
      await new Promise(() => undefined);
      yield 1;
    })();
    void turns.pieces('stuck', stuck).next();
    expect(
      await drain(
        turns.pieces(
          'other',
          answer(5, () => undefined),
        ),
      ),
    ).toBe(5);
  });

  it('end with their reader, and with their fault', async () => {
    const turns = new FairTurns();
    let ended = 0;
    const source = async function* (): AsyncGenerator<number, void, undefined> {
      try {
        yield 1;
        throw new Error('The store is away.');
      } finally {
        ended++;
      }
    };
    const left = turns.pieces('one', source());
    await left.next();
    await left.return();
    expect(ended).toBe(1);
    await expect(drain(turns.pieces('one', source()))).rejects.toThrow('away');
    expect(ended).toBe(2);
    expect(
      await drain(
        turns.pieces(
          'one',
          answer(2, () => undefined),
        ),
      ),
    ).toBe(2);
  });
});

describe('the turn of a long answer', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  /** An answer whose one piece is made once `make` is called. `isBegun`: it has its turn. */
  const held = () => {
    let make = (): void => undefined;
    const made = new Promise<void>((resolve) => (make = resolve));
    const state = { isBegun: false, make: () => make() };
    const source = async function* (): AsyncGenerator<number, void, undefined> {
      state.isBegun = true;
      await made;
      yield 1;
    };
    return { state, source: source() };
  };
  const turnsOfTheLoop = async (): Promise<void> => {
    for (let turns = 0; turns < 5; turns++) await nextTurn();
  };

  it('that took too long ends no other’s turn once its piece is made after all', async () => {
    const turns = new FairTurns();
    const [slow, other, third] = [held(), held(), held()];
    const all = [slow, other, third].map(({ source }, at) => drain(turns.pieces(`caller ${at}`, source)));
    await turnsOfTheLoop();
    jest.advanceTimersByTime(50);
    await turnsOfTheLoop();
    expect([other.state.isBegun, third.state.isBegun]).toEqual([true, false]);
    slow.state.make();
    await turnsOfTheLoop();
    expect(third.state.isBegun).toBe(false);
    other.state.make();
    third.state.make();
    await turnsOfTheLoop();
    jest.advanceTimersByTime(50);
    expect(await Promise.all(all)).toEqual([1, 1, 1]);
  });

  it('ends at once with the fault of its source', async () => {
    const turns = new FairTurns();
    const faulty = (async function* (): AsyncGenerator<number, void, undefined> {
      await nextTurn();
      yield* [];
      throw new Error('The store is away.');
    })();
    const failed = drain(turns.pieces('one', faulty)).catch(reasonOf);
    const next = held();
    next.state.make();
    const made = drain(turns.pieces('other', next.source));
    expect(await failed).toBe('Error: The store is away.');
    await turnsOfTheLoop();
    expect(next.state.isBegun).toBe(true);
    expect(await made).toBe(1);
  });
});
