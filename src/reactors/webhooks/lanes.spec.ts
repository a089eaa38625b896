import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { processorMs } from '../../../test/support/processor-time.js';
import { Lanes } from './lanes.js';

const limits = { max: 10, maxEach: 3 };

const tried = (lanes: Lanes, id: string, prompt: boolean | null): void => {
  lanes.begin(id);
  lanes.end(id, prompt);
};

describe('Lanes', () => {
  it('give one attempt at a time to who has shown nothing yet, and more to who answers promptly', () => {
    const lanes = new Lanes(limits);
    expect(lanes.free('a')).toBe(1);
    tried(lanes, 'a', true);
    expect(lanes.free('a')).toBe(3);
    tried(lanes, 'a', false);
    expect(lanes.free('a')).toBe(1);
    tried(lanes, 'a', null);
    expect(lanes.free('a')).toBe(1);
  });

  it('leave half to others, however many do not answer', () => {
    const lanes = new Lanes(limits);
    const dead = Array.from({ length: 20 }, (_, index) => `dead ${index}`);
    for (const id of dead) tried(lanes, id, false);
    for (const id of dead) if (lanes.free(id) > 0) lanes.begin(id);
    expect(lanes.underWay).toBe(5);
    expect(lanes.free('new')).toBe(1);
    tried(lanes, 'good', true);
    expect(lanes.free('good')).toBe(3);
  });

  it('leave the larger half to others where all cannot be halved', () => {
    const lanes = new Lanes({ max: 5, maxEach: 3 });
    for (const id of ['a', 'b', 'c']) tried(lanes, id, false);
    for (const id of ['a', 'b', 'c']) if (lanes.free(id) > 0) lanes.begin(id);
    expect(lanes.underWay).toBe(2);
  });

  it('stay as they were after an attempt that shows nothing', () => {
    const lanes = new Lanes(limits);
    tried(lanes, 'a', true);
    tried(lanes, 'a', null);
    expect(lanes.free('a')).toBe(3);
  });

  it('take turns', () => {
    const lanes = new Lanes(limits);
    const all = ['a', 'b', 'c'].map((id) => ({ id }));
    const order = () => lanes.inTurn(all).map(({ id }) => id);
    tried(lanes, 'b', true);
    tried(lanes, 'a', true);
    expect(order()).toEqual(['c', 'b', 'a']);
    tried(lanes, 'c', true);
    expect(order()).toEqual(['b', 'a', 'c']);
  });

  it('forget who has nothing to wait for, but not what is under way', () => {
    const lanes = new Lanes(limits);
    tried(lanes, 'a', true);
    lanes.begin('b');
    lanes.forgetAllBut(new Set());
    expect([lanes.free('a'), lanes.free('b'), lanes.underWay]).toEqual([1, 0, 1]);
  });

  it('are asked as quickly where many receivers do not answer', () => {
    const lanes = new Lanes(limits);
    const dead = Array.from({ length: 30_000 }, (_, index) => `dead ${index}`);
    for (const id of dead) tried(lanes, id, false);
    let free = 0;
    expect(processorMs(() => (free = dead.reduce((sum, id) => sum + lanes.free(id), 0)))).toBeLessThan(1_000);
    expect(free).toBe(dead.length);
  });

  it('are never fuller than their limits, whatever happens', () => {
    const step = fc.record({ id: fc.nat({ max: 8 }), end: fc.boolean(), prompt: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const lanes = new Lanes(limits);
        const underWay = new Map<string, number>();
        const slow = new Set<string>();
        for (const { id, end, prompt } of steps) {
          const name = `${id}`;
          const now = underWay.get(name) ?? 0;
          if (end && now > 0) {
            lanes.end(name, prompt);
            underWay.set(name, now - 1);
            if (prompt) slow.delete(name);
            else slow.add(name);
          } else if (lanes.free(name) > 0) {
            // Not while as many as may are under way to those that do not answer.
            const toSlow = [...slow].reduce((sum, one) => sum + (underWay.get(one) ?? 0), 0);
            if (slow.has(name)) expect(toSlow).toBeLessThan(limits.max / 2);
            lanes.begin(name);
            underWay.set(name, now + 1);
          }
          const counts = [...underWay.values()];
          expect(lanes.underWay).toBe(counts.reduce((sum, count) => sum + count, 0));
          expect(lanes.underWay).toBeLessThanOrEqual(limits.max);
          expect(Math.max(0, ...counts)).toBeLessThanOrEqual(limits.maxEach);
        }
      }),
    );
  });
});
