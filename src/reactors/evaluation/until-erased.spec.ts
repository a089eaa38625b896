import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import type { PersonId } from '../../core/vault/port.js';
import { untilErased } from './until-erased.js';

const CAROL = 'carol' as PersonId;
const vaultWithKey = async (): Promise<MemoryVault> => {
  const vault = new MemoryVault();
  await vault.keys.create(CAROL);
  return vault;
};
/** It is never aborted. */
const NEVER = new AbortController().signal;
/** Works until it is ended. */
const endless = (ending: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new Error('ended'));
    if (ending.aborted) end();
    else ending.addEventListener('abort', end);
  });

describe('work on what a candidate said', () => {
  it('is done while the candidate is there, and leaves nothing on the signal', async () => {
    const stop = new AbortController();
    expect(await untilErased(await vaultWithKey(), CAROL, stop.signal, async () => 7)).toBe(7);
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });

  it('is not begun once the candidate is erased', async () => {
    const vault = await vaultWithKey();
    await vault.keys.erase(CAROL);
    let begun = false;
    const work = async () => (begun = true);
    expect(await untilErased(vault, CAROL, NEVER, work)).toBe('erased');
    expect(begun).toBe(false);
  });

  it('ends within moments of an erasure', async () => {
    const vault = await vaultWithKey();
    const working = untilErased(vault, CAROL, NEVER, endless);
    await vault.keys.erase(CAROL);
    const erased = performance.now();
    expect(await working).toBe('erased');
    // A process that did not erase itself may know the key for 750 ms before that.
    expect(performance.now() - erased).toBeLessThan(900);
  });

  it('goes on while the vault says nothing', async () => {
    const vault = await vaultWithKey();
    const working = untilErased(vault, CAROL, NEVER, async () => {
      vault.keys.get = () => Promise.reject(new Error('The vault is away.'));
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      return 9;
    });
    expect(await working).toBe(9);
  });

  it('ends when it is stopped, before or after it has begun, and hands faults on', async () => {
    const vault = await vaultWithKey();
    for (const early of [true, false]) {
      const stop = new AbortController();
      if (early) stop.abort(new Error('stop'));
      const working = untilErased(vault, CAROL, stop.signal, endless);
      stop.abort(new Error('stop'));
      await expect(working).rejects.toThrow('ended');
    }
  });
});
