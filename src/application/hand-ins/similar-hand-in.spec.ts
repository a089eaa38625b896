import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { BrokenSeal, type PersonId } from '../../core/vault/port.js';
import { isReference, keepSimilar, similarIn, similarTo } from './similar-hand-in.js';

const [ada, bob] = ['ada', 'bob'] as readonly string[] as readonly [PersonId, PersonId];
const own = { person: ada, handInId: 'h1' };
const other = { person: bob, trialSessionId: 't2', handInId: 'h2' };

describe('which hand-in another one is similar to', () => {
  let vault: MemoryVault;

  beforeEach(async () => {
    vault = new MemoryVault();
    for (const person of [ada, bob]) await vault.keys.create(person);
  });

  const files = async () => {
    const found = [];
    for await (const file of vault.files.files()) found.push(file);
    return found;
  };

  it('is kept until the next evaluation', async () => {
    expect(await similarTo(vault, own)).toBeNull();
    await keepSimilar(vault, own, other);
    expect(await similarTo(vault, own)).toEqual({ trialSessionId: 't2', handInId: 'h2' });
    await keepSimilar(vault, own, { ...other, handInId: 'h3' });
    expect(await similarTo(vault, own)).toMatchObject({ handInId: 'h3' });
    await keepSimilar(vault, own, null);
    expect(await similarTo(vault, own)).toBeNull();
    expect(await files()).toEqual([]);
  });

  it('is never away while a generation that runs beside another one finds the same', async () => {
    await keepSimilar(vault, own, other);
    const [discard, append] = [jest.spyOn(vault.files, 'discard'), jest.spyOn(vault.files, 'append')];
    await Promise.all([keepSimilar(vault, own, other), keepSimilar(vault, own, other)]);
    expect([discard.mock.calls, append.mock.calls]).toEqual([[], []]);
    expect(await similarTo(vault, own)).toMatchObject({ handInId: 'h2' });
  });

  it('is stored anew by the next evaluation if what is stored was changed', async () => {
    await vault.files.append({ person: ada, fileId: 'h1-similar' }, 0, Buffer.alloc(9));
    for (const chunk of vault.pieces.kept) chunk.sealed.fill(0);
    await expect(similarTo(vault, own)).rejects.toThrow(BrokenSeal);
    await keepSimilar(vault, own, other);
    expect(await similarTo(vault, own)).toMatchObject({ handInId: 'h2' });
  });

  it('is gone, to its last byte, once the other candidate is erased', async () => {
    await keepSimilar(vault, own, other);
    const [file] = await files();
    expect(file && isReference(file)).toBe(true);
    await vault.keys.erase(bob);
    expect(await similarIn(vault, file!)).toBeNull();
    expect(await files()).toEqual([]);
  });

  it('goes with its own candidate, and is not kept for one who was erased', async () => {
    await keepSimilar(vault, own, other);
    await vault.keys.erase(ada);
    await keepSimilar(vault, own, other);
    expect(await similarTo(vault, own)).toBeNull();
    expect(await files()).toEqual([]);
  });
});
