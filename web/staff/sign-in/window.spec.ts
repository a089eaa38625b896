import { describe, expect, it } from '@jest/globals';
import { answerInWindow } from './window.js';

describe('the answer of a sign-in in a window', () => {
  it('is not awaited once the sign-in is abandoned, also if that was before', async () => {
    const leaving = new AbortController();
    const waits = answerInWindow('one', leaving.signal);
    leaving.abort();
    await expect(waits).rejects.toThrow('The sign-in was abandoned.');
    await expect(answerInWindow('two', leaving.signal)).rejects.toThrow('The sign-in was abandoned.');
  });
});
