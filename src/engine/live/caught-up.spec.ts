import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { START, type FeedItem, type Position } from '../../core/event-store.js';
import { CaughtUpSegment, CaughtUpSegments } from './ring.js';

const at = (n: number): Position => (n === 0 ? START : (String(n).padStart(6, '0') as Position));
const passed = (after: number, n: number) =>
  ({ kind: 'passed', after: at(after), position: at(n) }) satisfies FeedItem;

/** A ring that is at a position, and the segments that move with it. */
class Line {
  position: Position;
  readonly segments = new CaughtUpSegments(this);

  constructor(n: number) {
    this.position = at(n);
  }

  follow(types: readonly string[]): CaughtUpSegment {
    return this.segments.add(new Set(types));
  }

  take(after: number, n: number, types: readonly string[] | null): void {
    this.segments.before(passed(after, n), types);
    if (at(n) > this.position) this.position = at(n);
  }
}

describe('A segment that has caught up', () => {
  it('moves with events of other types, and stays before the first one of its own', async () => {
    const line = new Line(1);
    const segment = line.follow(['a', 'b']);
    line.take(1, 2, ['c']);
    expect([segment.position, segment.isEnded]).toEqual([at(2), false]);
    const changed = segment.changed();
    line.take(2, 3, ['c', 'b']);
    line.take(3, 4, ['c']);
    line.take(4, 5, ['a']);
    expect([segment.position, segment.isEnded]).toEqual([at(2), true]);
    await changed;
    await segment.changed();
  });

  it('stays before a gap, and before an event that may be of any type', () => {
    const gap = new Line(1);
    const before = gap.follow(['a']);
    gap.take(2, 3, []);
    expect(before.position).toBe(at(1));
    const line = new Line(1);
    const segment = line.follow(['a']);
    line.take(1, 2, null);
    expect(segment.position).toBe(at(1));
  });

  it('leaves the others once, so that none that has ended is held in memory', () => {
    const left: CaughtUpSegment[] = [];
    const segment = new CaughtUpSegment(new Set(['a']), { position: at(1) }, (one) => left.push(one));
    segment.end();
    segment.end();
    expect(left).toEqual([segment]);
  });

  it('takes no notice of what a reconnection delivers again', () => {
    const line = new Line(5);
    const segment = line.follow(['a']);
    line.take(3, 4, ['a']);
    line.take(5, 6, ['b']);
    expect(segment.position).toBe(at(6));
  });

  it('ends when the feed does', async () => {
    const line = new Line(1);
    const segment = line.follow(['a']);
    const changed = segment.changed();
    line.segments.end();
    line.take(1, 2, ['b']);
    await changed;
    expect(segment.position).toBe(at(1));
  });

  it('never passes an event of its types, whatever comes', () => {
    const types = fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 });
    const event = fc.record({ types: fc.option(types, { freq: 9 }), gap: fc.nat(20), again: fc.boolean() });
    fc.assert(
      fc.property(fc.array(types, { minLength: 1 }), fc.array(event), (handled, events) => {
        const line = new Line(0);
        const all = handled.map((own) => ({
          own,
          segment: line.follow(own),
          until: null as Position | null,
        }));
        let last = 0;
        for (const { types: given, gap, again } of events) {
          const after = gap === 0 ? last + 1 : last;
          for (const one of all) {
            const concerned = given === null || gap === 0 || given.some((type) => one.own.includes(type));
            if (concerned) one.until ??= at(last);
          }
          line.take(after, after + 1, given);
          if (again) line.take(last, last, ['a', 'b', 'c', 'd']);
          last = after + 1;
          for (const { segment, until } of all) expect(segment.position).toBe(until ?? at(last));
        }
      }),
    );
  });
});
