import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Throttle, shareBeside } from './throttle.js';

/** A process whose time passes by what is done in it. */
class Worker {
  active = 0;
  idle = 0;
  readonly rests: number[] = [];
  readonly throttle: Throttle;

  constructor(share = 1) {
    this.throttle = new Throttle({
      time: () => ({ active: this.active, idle: this.idle }),
      rest: (ms) => {
        this.rests.push(ms);
        this.idle += ms;
        return Promise.resolve();
      },
    });
    this.throttle.share = share;
  }

  async work(ms: number): Promise<void> {
    this.active += ms;
    await this.throttle.wait();
  }
}

describe('a throttle', () => {
  it('rests in proportion to what was done', async () => {
    const worker = new Worker(0.2);
    await worker.work(10);
    await worker.work(25);
    expect(worker.rests).toEqual([40, 100]);
  });

  it('rests not at all where all of the time is its own', async () => {
    const worker = new Worker();
    for (let n = 0; n < 20; n++) await worker.work(50);
    expect(worker.rests).toEqual([]);
  });

  it('saves up rests that are too short, and counts what it has waited for anyway', async () => {
    const worker = new Worker(0.5);
    await worker.work(3);
    expect(worker.rests).toEqual([]);
    await worker.work(3);
    expect(worker.rests).toEqual([6]);
    worker.idle += 8;
    await worker.work(10);
    expect(worker.rests).toEqual([6]);
  });

  it('never rests for longer than a second', async () => {
    const worker = new Worker(0.2);
    await worker.work(60_000);
    expect(worker.rests).toEqual([1_000]);
  });

  it('lets all that are at work rest together, and for once', async () => {
    let wake: () => void = () => undefined;
    let active = 0;
    let rests = 0;
    const throttle = new Throttle({
      time: () => ({ active, idle: 0 }),
      rest: () => {
        rests++;
        return new Promise((resolve) => (wake = resolve));
      },
    });
    throttle.share = 0.5;
    active = 100;
    const order: string[] = [];
    const all = ['a', 'b', 'c'].map((name) => throttle.wait().then(() => order.push(name)));
    await Promise.resolve();
    expect([rests, order]).toEqual([1, []]);
    wake();
    await Promise.all(all);
    expect([rests, order.sort()]).toEqual([1, ['a', 'b', 'c']]);
  });

  it('takes nothing for a share that is none', async () => {
    const worker = new Worker(0.5);
    for (const share of [0, -1, 1.5, Number.NaN, Infinity]) worker.throttle.share = share;
    expect(worker.throttle.share).toBe(0.5);
  });

  it('comes to its share, whatever the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        fc.array(fc.double({ min: 0.1, max: 60, noNaN: true }), { minLength: 50, maxLength: 100 }),
        async (share, pieces) => {
          const worker = new Worker(share);
          for (const ms of pieces) await worker.work(ms);
          const owed = (worker.active * (1 - share)) / share - worker.idle;
          // A rest that is too short to be taken may still be due, and no longer one.
          expect(owed).toBeGreaterThan(-1e-6);
          expect(owed).toBeLessThan(4);
        },
      ),
    );
  });
});

describe('the share beside a process that answers requests', () => {
  it('is all of the time while that has little to do, and a seventh while it has much', () => {
    expect([0, 0.1, 0.25].map((busy) => shareBeside(busy, 0))).toEqual([1, 1, 1]);
    for (const busy of [0.6, 0.9, 1]) expect(shareBeside(busy, 0)).toBeCloseTo(0.15);
    expect(shareBeside(0.425, 0)).toBeCloseTo(0.575);
  });

  it('grows with the time that the work takes, to all of it in half an hour', () => {
    expect([0, 10, 15, 30, 90].map((minutes) => shareBeside(1, minutes * 60_000))).toEqual(
      [0.15, 1 / 3, 0.5, 1, 1].map((share) => expect.closeTo(share)),
    );
    expect(shareBeside(0.425, 10 * 60_000)).toBeCloseTo(0.575);
  });
});
