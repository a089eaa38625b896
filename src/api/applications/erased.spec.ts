import { describe, expect, it } from '@jest/globals';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { isErased } from '../../application/applications/erased.js';
import type { PersonId } from '../../core/vault/port.js';
import { assertNotErased } from './staff-applications.js';

const person = 'p1' as PersonId;

describe('whether a candidate was erased', () => {
  it('is told by the tombstone, at once', async () => {
    const vault = new MemoryVault();
    await vault.keys.create(person);
    expect(await isErased(vault, person)).toBe(false);
    await assertNotErased(vault, person);
    await vault.keys.erase(person);
    expect(await isErased(vault, person)).toBe(true);
    await expect(assertNotErased(vault, person)).rejects.toMatchObject({ code: 'erased', status: 410 });
  });

  it('is not said of a person whose key was never made', async () => {
    expect(await isErased(new MemoryVault(), person)).toBe(false);
  });
});
