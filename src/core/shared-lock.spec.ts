import { expect, it } from '@jest/globals';
import { SharedLock } from './concurrency.js';

it('has what is to be alone wait for what has begun, and holds back what comes later', async () => {
  const work = new SharedLock();
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    log.push(`${name} ends`);
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
  };
  const all = [
    work.run(task('a')),
    work.run(task('b')),
    work.exclusively(task('x')),
    work.exclusively(() => Promise.reject(new Error('y fails'))),
    work.run(task('c')),
  ];
  const outcomes = Promise.allSettled(all);
  await turn();
  expect(log).toEqual(['a begins', 'b begins']);
  await end('a');
  expect(log).toHaveLength(3);
  await end('b');
  expect(log.slice(3)).toEqual(['b ends', 'x begins']);
  await end('x');
  expect(log.slice(5)).toEqual(['x ends', 'c begins']);
  await end('c');
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

it('lets nothing run beside exclusive work, though that waited for other exclusive work itself', async () => {
  const work = new SharedLock();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const ends: (() => void)[] = [];
  const log: string[] = [];
  const task = (name: string) => () => {
    log.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const all = [work.exclusively(task('x')), work.run(task('a')), work.exclusively(task('y'))];
  await turn();
  ends[0]?.();
  await turn();
  all.push(work.run(task('b')));
  await turn();
  expect(log).toEqual(['x', 'y']);
  ends[1]?.();
  await turn();
  expect(log).toEqual(['x', 'y', 'a', 'b']);
  for (const end of ends) end();
  await Promise.all(all);
});
