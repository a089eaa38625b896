import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { Sealer } from './sealing.js';
import { BrokenSeal, MissingKey, type PersonId } from './vault/port.js';

const withPerson = async (waits = false) => {
  const vault = new MemoryVault(waits);
  const person = randomUUID() as PersonId;
  await vault.keys.create(person);
  return { vault, person, sealer: new Sealer(vault) };
};

/** By promise, whether it fails at once or later. */
const opening = async (sealer: Sealer, ...given: Parameters<Sealer['open']>) => sealer.open(...given);

describe('sealing', () => {
  it('opens what it sealed, bytes and texts, at once or by promise', async () => {
    const { vault, sealer, person } = await withPerson();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const plaintext = Buffer.from(bytes);
        const sealed = sealer.seal(person, plaintext) as string;
        expect(sealer.open(person, sealed)).toEqual(plaintext);
        const later = new Sealer({ keys: { ...vault.keys, peek: () => undefined } });
        expect(await later.open(person, sealed)).toEqual(plaintext);
        expect(sealer.open(person, (await later.seal(person, plaintext))!)).toEqual(plaintext);
      }),
      { numRuns: 50 },
    );
    expect(String(await sealer.open(person, (await sealer.seal(person, 'Zoë 🙂'))!))).toBe('Zoë 🙂');
  });

  it('never seals the same text the same way, nor shows it', async () => {
    const { sealer, person } = await withPerson();
    const sealed = Array.from({ length: 50 }, () => sealer.seal(person, 'a known text') as string);
    expect(new Set(sealed).size).toBe(50);
    for (const text of sealed) {
      expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/);
      expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('known');
    }
  });

  it('refuses whatever was changed, naming the person and nothing else', async () => {
    const { sealer, person } = await withPerson();
    const sealed = (await sealer.seal(person, 'a known text'))!;
    for (let at = 0; at < sealed.length; at++) {
      const letter = sealed[at] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1);
      await expect(opening(sealer, person, changed)).rejects.toThrow(BrokenSeal);
    }
    for (const changed of ['', 'AQ==', sealed.slice(0, -4), `${sealed}AAAA`, ` ${sealed}`, sealed.slice(4)])
      await expect(opening(sealer, person, changed)).rejects.toThrow(person);
    await expect(opening(sealer, person, 'a known text')).rejects.not.toThrow('known');
  });

  it("does not pass one person's text for another's, even under the same key", async () => {
    const { vault, sealer, person } = await withPerson();
    const other = randomUUID() as PersonId;
    vault.known.set(other, vault.known.get(person)!);
    const sealed = (await sealer.seal(person, 'text'))!;
    await expect(opening(sealer, other, sealed)).rejects.toThrow(BrokenSeal);
  });

  it('answers `erased` once the person is, and seals nothing any more', async () => {
    const { vault, sealer, person } = await withPerson();
    const sealed = (await sealer.seal(person, 'text'))!;
    await vault.keys.erase(person);
    expect(await sealer.open(person, sealed)).toBe('erased');
    expect(await sealer.seal(person, 'text')).toBeNull();
  });

  it('stops on a missing key, and makes none in its place', async () => {
    const { vault, sealer, person } = await withPerson();
    const sealed = (await sealer.seal(person, 'text'))!;
    vault.known.delete(person);
    await expect(opening(sealer, person, sealed)).rejects.toThrow(MissingKey);
    await expect((async () => sealer.seal(person, 'text'))()).rejects.toThrow(MissingKey);
    expect(vault.known.size).toBe(0);
  });

  it('waits for a key that is not at hand, and for no other', async () => {
    const { vault, sealer, person } = await withPerson(true);
    const sealed = (await sealer.seal(person, 'text'))!;
    expect(sealer.open(person, sealed)).toBeInstanceOf(Promise);
    expect(sealer.hasKey(person)).toBe(false);
    vault.keys.peek = (id) => vault.known.get(id);
    expect(sealer.open(person, sealed)).toEqual(Buffer.from('text'));
    expect(sealer.hasKey(person)).toBe(true);
  });
});
