import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { START, type FeedItem, type Position } from '../../core/event-store.js';
import { Resting, type Rest } from './resting.js';

const at = (n: number): Position => (n === 0 ? START : (String(n).padStart(6, '0') as Position));
const passed = (after: number, n: number) =>
  ({ kind: 'passed', after: at(after), position: at(n) }) satisfies FeedItem;

/** A ring that is at a position, and what rests on it. */
class Line {
  position: Position;
  readonly resting = new Resting(this);

  constructor(n: number) {
    this.position = at(n);
  }

  rest(types: readonly string[], checkpoint: Position | null = this.position, folded = false): Rest {
    return this.resting.add(new Set(types), checkpoint, folded);
  }

  take(after: number, n: number, types: readonly string[] | null): void {
    this.resting.before(passed(after, n), types);
    if (at(n) <= this.position) return;
    this.position = at(n);
    this.resting.moved();
  }
}

describe('A segment that rests', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('moves with events of other types, and stays before the first one of its own', async () => {
    const line = new Line(1);
    const rest = line.rest(['a', 'b']);
    line.take(1, 2, ['c']);
    expect(rest.position).toBe(at(2));
    line.take(2, 3, ['c', 'b']);
    line.take(3, 4, ['c']);
    expect(rest.position).toBe(at(2));
    await expect(rest.interrupted()).resolves.toBe('over');
  });

  it('stays before a gap, and before an event that may be of any type', () => {
    const gap = new Line(1);
    const before = gap.rest(['a']);
    gap.take(2, 3, []);
    expect(before.position).toBe(at(1));
    const line = new Line(1);
    const rest = line.rest(['a']);
    line.take(1, 2, null);
    expect(rest.position).toBe(at(1));
  });

  it('takes no notice of what a reconnection delivers again', () => {
    const line = new Line(5);
    const rest = line.rest(['a']);
    line.take(3, 4, ['a']);
    line.take(5, 6, ['b']);
    expect(rest.position).toBe(at(6));
  });

  it('has its checkpoint follow a little later, at most four times a second, and only if it has moved', async () => {
    const line = new Line(1);
    const rest = line.rest(['a']);
    const dueAt: number[] = [];
    const begun = performance.now();
    void (async () => {
      while ((await rest.interrupted()) === 'checkpoint due') dueAt.push(performance.now() - begun);
    })();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(dueAt).toEqual([]);
    for (let n = 2; n <= 101; n++) {
      line.take(n - 1, n, ['b']);
      await jest.advanceTimersByTimeAsync(10);
    }
    await jest.advanceTimersByTimeAsync(1_000);
    expect(dueAt.map(Math.round)).toEqual([1_020, 1_270, 1_520, 1_770, 2_020]);
  });

  it('has a checkpoint that is behind follow without any event', async () => {
    const line = new Line(3);
    const rest = line.rest(['a'], at(1));
    await jest.advanceTimersByTimeAsync(20);
    await expect(rest.interrupted()).resolves.toBe('checkpoint due');
  });

  it('has the checkpoint that is behind what was folded follow soon, together with others', async () => {
    const line = new Line(3);
    const told: string[] = [];
    const watch = (name: string, rest: Rest) =>
      void rest.interrupted().then((why) => told.push(`${name}: ${why}`));
    watch('first', line.rest(['a'], at(1), true));
    watch('current', line.rest(['a']));
    await jest.advanceTimersByTimeAsync(4);
    watch('second', line.rest(['a'], at(2), true));
    expect(told).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(told).toEqual(['first: checkpoint due', 'second: checkpoint due']);
    const ended = line.rest(['a'], at(1), true);
    ended.end();
    watch('ended', ended);
    await jest.advanceTimersByTimeAsync(20);
    expect(told.slice(2)).toEqual(['ended: over']);
  });

  it('has its checkpoint wait for others that fold the same event, but not for long', async () => {
    const line = new Line(1);
    const told: string[] = [];
    const watch = (name: string, rest: Rest) =>
      void rest.interrupted().then((why) => told.push(`${name}: ${why}`));
    line.rest(['a']);
    line.rest(['a', 'b']);
    line.take(1, 2, ['a']);
    watch('quick', line.rest(['a'], at(1), true));
    await jest.advanceTimersByTimeAsync(14);
    expect(told).toEqual([]);
    watch('slow', line.rest(['b'], at(1), true));
    await jest.advanceTimersByTimeAsync(1);
    expect(told).toEqual(['quick: checkpoint due', 'slow: checkpoint due']);
    line.take(2, 3, ['a', 'b']);
    watch('alone', line.rest(['a'], at(2), true));
    await jest.advanceTimersByTimeAsync(24);
    expect(told.slice(2)).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(told.slice(2)).toEqual(['alone: checkpoint due']);
  });

  it('ends when the feed does', async () => {
    const line = new Line(1);
    const rest = line.rest(['a']);
    const interrupted = rest.interrupted();
    line.resting.end();
    await expect(interrupted).resolves.toBe('over');
    line.take(1, 2, ['b']);
    expect(rest.position).toBe(at(1));
  });

  it('never passes an event of its types, whatever comes', () => {
    const types = fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 });
    const event = fc.record({ types: fc.option(types, { freq: 9 }), gap: fc.nat(20), again: fc.boolean() });
    fc.assert(
      fc.property(fc.array(types, { minLength: 1 }), fc.array(event), (handled, events) => {
        const line = new Line(0);
        const rests = handled.map((own) => ({ own, rest: line.rest(own), until: null as Position | null }));
        let last = 0;
        for (const { types: given, gap, again } of events) {
          const after = gap === 0 ? last + 1 : last;
          for (const one of rests) {
            const concerned = given === null || gap === 0 || given.some((type) => one.own.includes(type));
            if (concerned) one.until ??= at(last);
          }
          line.take(after, after + 1, given);
          if (again) line.take(last, last, ['a', 'b', 'c', 'd']);
          last = after + 1;
          for (const { rest, until } of rests) expect(rest.position).toBe(until ?? at(last));
        }
        line.resting.end();
      }),
    );
  });
});
