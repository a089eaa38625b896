import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { readAhead } from './pace.js';

const never = new AbortController().signal;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('reading ahead', () => {
  it('takes all that the source gives, however slow its reader', async () => {
    let given = 0;
    async function* source(): AsyncGenerator<number, void, undefined> {
      for (; given < 100; given += 1) {
        await wait(0);
        yield given;
      }
    }
    const reader = readAhead(source, never);
    expect((await reader.next()).value).toBe(0);
    while (given < 100) await wait(5);
    const rest: number[] = [];
    for await (const one of reader) rest.push(one);
    expect(rest).toEqual(Array.from({ length: 99 }, (_, at) => at + 1));
  });

  it('hands on a failure after what came before it', async () => {
    async function* source(): AsyncGenerator<number, void, undefined> {
      yield 1;
      yield 2;
      throw new Error('The source broke.');
    }
    const read: number[] = [];
    const reading = (async () => {
      for await (const one of readAhead(source, never)) {
        await wait(10);
        read.push(one);
      }
    })();
    await expect(reading).rejects.toThrow('The source broke.');
    expect(read).toEqual([1, 2]);
  });

  it('ends the source with its reader and with the signal, and leaves nothing on it', async () => {
    const ended: string[] = [];
    const source = (name: string) =>
      async function* (signal: AbortSignal): AsyncGenerator<number, void, undefined> {
        yield 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended.push(name);
      };
    const caller = new AbortController();
    for await (const one of readAhead(source('left'), caller.signal)) if (one === 1) break;
    expect(ended).toEqual(['left']);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    setTimeout(() => caller.abort(), 20);
    for await (const one of readAhead(source('aborted'), caller.signal)) expect(one).toBe(1);
    expect(ended).toEqual(['left', 'aborted']);
  });
});
