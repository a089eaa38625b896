import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { START, type FeedItem, type Position } from '../../core/event-store.js';
import { Ring, type SharedEvent } from './ring.js';

const at = (n: number): Position => (n === 0 ? START : (String(n).padStart(6, '0') as Position));
const event = (n: number, bytes = 1): SharedEvent => ({ position: at(n), bytes }) as unknown as SharedEvent;
const item = (after: number, n: number) =>
  ({ kind: 'passed', after: at(after), position: at(n) }) satisfies FeedItem;
const add = (ring: Ring, after: number, n: number, bytes?: number): void =>
  ring.add(item(after, n), event(n, bytes));
const numbers = (ring: Ring, after: number, limit = 100): number[] | undefined =>
  ring.following(at(after), limit)?.events.map(({ position }) => Number(position));

describe('The ring of the live feed', () => {
  it('gives what follows a position within it, and nothing to one that it does not reach back to', () => {
    const ring = new Ring(at(5), 100, 1e6);
    add(ring, 5, 6);
    add(ring, 6, 7);
    expect(numbers(ring, 5)).toEqual([6, 7]);
    expect(numbers(ring, 6)).toEqual([7]);
    expect(numbers(ring, 7)).toEqual([]);
    expect(ring.following(at(4), 100)).toBeNull();
  });

  it('never joins across a gap: whoever stands before it has to read pages', () => {
    const ring = new Ring(at(0), 100, 1e6);
    add(ring, 0, 1);
    add(ring, 3, 4);
    expect(ring.following(at(1), 100)).toBeNull();
    expect(ring.following(at(2), 100)).toBeNull();
    expect(numbers(ring, 3)).toEqual([4]);
  });

  it('forgets what is old, and sends whoever stands there to pages', () => {
    const ring = new Ring(at(0), 100, 3);
    for (const n of [1, 2, 3]) ring.add(item(n - 1, n), event(n), n * 1_000);
    ring.forget(2_500);
    expect(ring.following(at(1), 100)).toBeNull();
    expect(numbers(ring, 2)).toEqual([3]);
    ring.forget(9_000);
    expect(ring.following(at(2), 100)).toBeNull();
    expect([ring.position, numbers(ring, 3)]).toEqual([at(3), []]);
    // Its room is free again.
    for (const n of [4, 5, 6]) add(ring, n - 1, n);
    expect(numbers(ring, 3)).toEqual([4, 5, 6]);
  });

  it('moves past positions that hold nothing', () => {
    const ring = new Ring(at(0), 100, 1e6);
    add(ring, 0, 1);
    ring.add(item(1, 9), null);
    expect(ring.following(at(0), 100)).toMatchObject({ position: at(9) });
    expect(numbers(ring, 0)).toEqual([1]);
  });

  it('takes nothing twice that a reconnection delivers again', () => {
    const ring = new Ring(at(0), 100, 1e6);
    add(ring, 0, 1);
    add(ring, 1, 2);
    add(ring, 0, 1);
    add(ring, 1, 2);
    add(ring, 2, 3);
    expect(numbers(ring, 0)).toEqual([1, 2, 3]);
  });

  it('lets the oldest go, by count and by bytes', () => {
    const byCount = new Ring(at(0), 10, 1e6);
    for (let n = 1; n <= 1000; n++) add(byCount, n - 1, n);
    expect(numbers(byCount, 995)).toEqual([996, 997, 998, 999, 1000]);
    expect(byCount.following(at(980), 100)).toBeNull();
    const byBytes = new Ring(at(0), 1000, 100);
    for (let n = 1; n <= 50; n++) add(byBytes, n - 1, n, 60);
    expect(byBytes.following(at(45), 100)).toBeNull();
    expect(numbers(byBytes, 49)).toEqual([50]);
  });

  it('gives a consumer every event once and in order, whatever is delivered and asked when', () => {
    const steps = fc.array(
      fc.oneof(fc.constant('event'), fc.constant('passed'), fc.constant('again'), fc.nat(9)),
      {
        minLength: 1,
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (actions, limit) => {
        const ring = new Ring(at(0), 4, 1e6);
        const log: number[] = [];
        const seen: number[] = [];
        let head = 0;
        let position = at(0);
        const pull = (): void => {
          const batch = ring.following(position, limit);
          if (batch === null) {
            // Fallen out: a page of the log.
            seen.push(...log.filter((n) => at(n) > position));
            position = log.length > 0 && at(log.at(-1) ?? 0) > position ? at(log.at(-1) ?? 0) : position;
          } else {
            seen.push(...batch.events.map((found) => Number(found.position)));
            position = batch.position;
          }
        };
        for (const action of actions) {
          if (action === 'event') {
            log.push(head + 1);
            add(ring, head, ++head);
          } else if (action === 'passed') {
            ring.add(item(head, ++head), null);
          } else if (action === 'again') {
            if (log.length > 0) add(ring, (log.at(-1) ?? 1) - 1, log.at(-1) ?? 1);
          } else pull();
        }
        for (let i = 0; i < actions.length + 2; i++) pull();
        expect(seen).toEqual(log);
      }),
      { numRuns: 300 },
    );
  });
});
