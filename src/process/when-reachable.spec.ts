import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable, StoreUnusable } from '../core/errors.js';
import { ReadStoreUnavailable } from '../stores/errors.js';
import type { Logger } from './log.js';
import { onceEach, whenReachable } from './start.js';

const recording = () => {
  const lines: string[] = [];
  return { lines, log: { warn: (line: string) => lines.push(line) } as unknown as Logger };
};

describe('opening stores on servers', () => {
  it('goes on until they answer, and says each reason once', async () => {
    const answers = [
      new StoreUnavailable('The log is away.'),
      new StoreUnavailable('The log is away.'),
      new ReadStoreUnavailable('The views are away.'),
    ];
    const { lines, log } = recording();
    const open = async () => {
      const failure = answers.shift();
      if (failure) throw failure;
      return 'open';
    };
    expect(await whenReachable(open, log)).toBe('open');
    expect(lines.map((line) => line.split('. ')[0])).toEqual(['The log is away', 'The views are away']);
  });

  it('gives up at once on what will not pass', async () => {
    const { lines, log } = recording();
    const refused = new StoreUnusable('The password is wrong.');
    await expect(whenReachable(() => Promise.reject(refused), log)).rejects.toBe(refused);
    expect(lines).toEqual([]);
  });

  it('says once what each attempt would say', () => {
    const said: string[] = [];
    const say = onceEach((sentence) => said.push(sentence));
    for (const sentence of ['a', 'b', 'a', 'b']) say(sentence);
    expect(said).toEqual(['a', 'b']);
  });
});
