import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { BrokenSeal, MissingKey, PersonErased, type PersonId } from './port.js';
import { Sealer } from './sealing.js';

const withPerson = async (waits = false) => {
  const vault = new MemoryVault(waits);
  const person = randomUUID() as PersonId;
  await vault.keys.create(person);
  return { vault, person, sealer: new Sealer(vault) };
};

describe('sealing', () => {
  it('opens what it sealed, bytes and texts, at once or by promise', async () => {
    const { sealer, person } = await withPerson();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const plaintext = Buffer.from(bytes);
        expect(await sealer.open(person, await sealer.seal(person, plaintext))).toEqual(plaintext);
        expect(sealer.openNow(person, sealer.sealNow(person, plaintext)!)).toEqual(plaintext);
      }),
      { numRuns: 50 },
    );
    expect(String(await sealer.open(person, await sealer.seal(person, 'Zoë 🙂')))).toBe('Zoë 🙂');
  });

  it('never seals the same text the same way, nor shows it', async () => {
    const { sealer, person } = await withPerson();
    const sealed = await Promise.all(Array.from({ length: 50 }, () => sealer.seal(person, 'a known text')));
    expect(new Set(sealed).size).toBe(50);
    for (const text of sealed) {
      expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/);
      expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('known');
    }
  });

  it('refuses whatever was changed, naming the person and nothing else', async () => {
    const { sealer, person } = await withPerson();
    const sealed = await sealer.seal(person, 'a known text');
    for (let at = 0; at < sealed.length; at++) {
      const letter = sealed[at] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1);
      await expect(sealer.open(person, changed)).rejects.toThrow(BrokenSeal);
    }
    for (const changed of ['', 'AQ==', sealed.slice(0, -4), `${sealed}AAAA`, ` ${sealed}`, sealed.slice(4)])
      await expect(sealer.open(person, changed)).rejects.toThrow(person);
    await expect(sealer.open(person, 'a known text')).rejects.not.toThrow('known');
  });

  it("does not pass one person's text for another's, even under the same key", async () => {
    const { vault, sealer, person } = await withPerson();
    const other = randomUUID() as PersonId;
    vault.known.set(other, vault.known.get(person)!);
    await expect(sealer.open(other, await sealer.seal(person, 'text'))).rejects.toThrow(BrokenSeal);
  });

  it('answers `erased` once the person is, and seals nothing any more', async () => {
    const { vault, sealer, person } = await withPerson();
    const sealed = await sealer.seal(person, 'text');
    await vault.keys.erase(person);
    expect(await sealer.open(person, sealed)).toBe('erased');
    expect(sealer.openNow(person, sealed)).toBe('erased');
    await expect(sealer.seal(person, 'text')).rejects.toThrow(PersonErased);
  });

  it('stops on a missing key, and makes none in its place', async () => {
    const { vault, sealer, person } = await withPerson();
    const sealed = await sealer.seal(person, 'text');
    vault.known.delete(person);
    await expect(sealer.open(person, sealed)).rejects.toThrow(MissingKey);
    await expect(sealer.seal(person, 'text')).rejects.toThrow(MissingKey);
    expect(() => sealer.openNow(person, sealed)).toThrow(MissingKey);
    expect(vault.known.size).toBe(0);
  });

  it('says so where a key has to be waited for, and finds it after warming', async () => {
    const { vault, sealer, person } = await withPerson(true);
    expect(sealer.sealNow(person, 'text')).toBeUndefined();
    const sealed = await sealer.seal(person, 'text');
    expect(sealer.openNow(person, sealed)).toBeUndefined();
    let asked = 0;
    const cache = new Map<PersonId, Awaited<ReturnType<typeof vault.keys.get>>>();
    const { get } = vault.keys;
    vault.keys.peek = (id) => cache.get(id);
    vault.keys.get = async (id) => {
      asked++;
      const key = await get(id);
      cache.set(id, key);
      return key;
    };
    await sealer.warm([person, person]);
    await sealer.warm([person]);
    expect(asked).toBe(1);
    expect(String(sealer.openNow(person, sealed))).toBe('text');
  });
});
