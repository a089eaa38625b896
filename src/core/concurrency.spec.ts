import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { eventually } from '../../test/support/eventually.js';
import { lowerPriority, MAX_WAIT_MS, Semaphore, Serial, SharedReads } from './concurrency.js';
import { StoreUnavailable } from './errors.js';

const never = new AbortController().signal;

describe('a semaphore', () => {
  it('admits calls in order, and takes a place back once only', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire(never);
    const order: number[] = [];
    const waiting = [1, 2].map(async (n) => {
      const own = await semaphore.acquire(never);
      order.push(n);
      return own;
    });
    expect(semaphore.queued).toBe(2);
    release?.();
    release?.();
    const second = await waiting[0];
    expect(order).toEqual([1]);
    second?.();
    (await waiting[1])?.();
    expect(order).toEqual([1, 2]);
    expect(await semaphore.acquire(never)).not.toBeNull();
  });

  it('keeps no place for a call whose signal aborted', async () => {
    const semaphore = new Semaphore(1);
    expect(await semaphore.acquire(AbortSignal.abort())).toBeNull();
    const release = await semaphore.acquire(never);
    const leaving = new AbortController();
    const left = semaphore.acquire(leaving.signal);
    const next = semaphore.acquire(never);
    leaving.abort();
    expect(await left).toBeNull();
    release?.();
    expect(await next).not.toBeNull();
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
  });

  it('never admits more calls than it has places', async () => {
    const semaphore = new Semaphore(2);
    const order: number[] = [];
    let used = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const release = await semaphore.acquire(60_000);
        order.push(index);
        expect(++used).toBeLessThanOrEqual(2);
        await new Promise((resolve) => setTimeout(resolve, 1));
        used--;
        release?.();
      }),
    );
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('lets a call wait within a time, after which the place goes to others', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire(10);
    expect(await semaphore.acquire(10)).toBeNull();
    const next = semaphore.acquire(60_000);
    release?.();
    (await next)?.();
    expect(typeof semaphore.acquire(10)).toBe('function');
  });
});

describe('tasks of one key', () => {
  /** Tasks that the test ends. */
  const tasks = () => {
    const begun: string[] = [];
    const ends = new Map<string, (error?: Error) => void>();
    const task = (name: string) => (): Promise<string> => {
      begun.push(name);
      return new Promise((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(name))),
      );
    };
    return { begun, ends, task, serial: new Serial() };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  afterEach(() => void jest.useRealTimers());

  it('run one after the other, beside those of other keys, also after one that failed', async () => {
    const { begun, ends, task, serial } = tasks();
    const [first, second] = ['a', 'b'].map((name) => serial.run('one', task(name)));
    void serial.run('other', task('x'));
    await turn();
    expect(begun).toEqual(['a', 'x']);
    ends.get('a')?.(new Error('No luck.'));
    await expect(first).rejects.toThrow('No luck.');
    await turn();
    const third = serial.run('one', task('c'));
    await turn();
    expect(begun).toEqual(['a', 'x', 'b']);
    ends.get('b')?.();
    expect(await second).toBe('b');
    await turn();
    ends.get('c')?.();
    expect(await third).toBe('c');
  });

  it('that waited too long are not run, and the next one is', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    const { begun, ends, task, serial } = tasks();
    void serial.run('one', task('slow'));
    const late = expect(serial.run('one', task('late'))).rejects.toThrow(StoreUnavailable);
    jest.advanceTimersByTime(MAX_WAIT_MS);
    await late;
    const next = serial.run('one', task('next'));
    ends.get('slow')?.();
    await turn();
    expect(begun).toEqual(['slow', 'next']);
    expect(jest.getTimerCount()).toBe(0);
    ends.get('next')?.();
    await next;
  });
});

describe('shared reads', () => {
  /** Reads that the test ends; each returns how many had begun with it. */
  const reading = () => {
    const ends: ((error?: Error) => void)[] = [];
    const read = () =>
      new Promise<number>((resolve, reject) => {
        const number = ends.length + 1;
        ends.push((error) => (error ? reject(error) : resolve(number)));
      });
    return { ends, read, turn: () => new Promise((resolve) => setImmediate(resolve)) };
  };

  it('answer those that came meanwhile by one read that begins after them', async () => {
    const { ends, read, turn } = reading();
    const reads = new SharedReads<number>();
    const first = reads.read('a', read);
    const [second, third] = [reads.read('a', read), reads.read('a', read)];
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    expect(await first).toBe(1);
    await turn();
    const fourth = reads.read('a', read);
    ends[1]?.();
    expect(await Promise.all([second, third])).toEqual([2, 2]);
    await turn();
    ends[2]?.();
    expect(await fourth).toBe(3);
    await turn();
    void reads.read('a', read);
    expect(ends).toHaveLength(4);
  });

  it('do not wait for reads of another key', () => {
    const { ends, read } = reading();
    const reads = new SharedReads<number>();
    void reads.read('a', read);
    void reads.read('b', read);
    expect(ends).toHaveLength(2);
  });

  it('begin anew after one that failed', async () => {
    const { ends, read, turn } = reading();
    const reads = new SharedReads<number>();
    const first = reads.read('a', read);
    const second = reads.read('a', read);
    ends[0]?.(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    ends[1]?.();
    expect(await second).toBe(2);
  });
});

describe('a lowered priority', () => {
  it.each([
    ['is that of the process', 0],
    ['stays where it is lower, as few users may raise it', 10],
  ])('%s', async (_, more) => {
    const child = spawn('nice', ['-n', String(more), 'sleep', '60']);
    const pid = child.pid ?? 0;
    const before = Math.min(getPriority() + more, constants.priority.PRIORITY_LOW);
    await eventually(() => getPriority(pid) === before);
    lowerPriority(2, pid);
    expect(getPriority(pid)).toBe(Math.max(before, 2));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(() => lowerPriority(2, pid)).not.toThrow();
  });
});
