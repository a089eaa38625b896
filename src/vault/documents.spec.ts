import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { Sealer } from '../core/sealing.js';
import { BrokenSeal, MissingKey, type PersonId } from '../core/vault/port.js';
import { DocumentSealer } from './documents.js';

describe.each([false, true])('sealing documents (keys waited for: %s)', (waits) => {
  const start = async () => {
    const vault = new MemoryVault(waits);
    const person = randomUUID() as PersonId;
    await vault.keys.create(person);
    return { vault, person, documents: new DocumentSealer(new Sealer(vault)) };
  };

  it('opens what it sealed, members in their order, through a store’s JSON', async () => {
    const { person, documents } = await start();
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (plain, personal) => {
          const document = JSON.parse(
            JSON.stringify({ ...plain, person, personal, last: [null, { a: 1 }] }),
          ) as { person: PersonId; personal: object };
          const body: unknown = JSON.parse(JSON.stringify(await documents.seal(document)));
          expect(JSON.stringify(await documents.open(body as never))).toBe(JSON.stringify(document));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('outlines what it sealed without the key', async () => {
    const { vault, person, documents } = await start();
    const document = { id: '1', person, personal: { email: 'ada@example.com' }, total: 3 };
    const body = await documents.seal(document);
    await vault.keys.erase(person);
    expect(documents.outline(body)).toEqual({ ...document, personal: null });
    const plain = { id: '2', total: 4 };
    expect(documents.outline(plain)).toBe(plain);
  });

  it('shows nothing personal in the body, and leaves the rest as it is', async () => {
    const { person, documents } = await start();
    const document = Object.freeze({
      id: '1',
      person,
      personal: Object.freeze({ email: 'ada@example.com' }),
    });
    const body = (await documents.seal(document)) as { personal: string };
    expect(body).toEqual({ id: '1', person, personal: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain('ada@');
    expect(Buffer.from(body.personal, 'base64').toString('latin1')).not.toContain('ada@');
    expect(document.personal).toEqual({ email: 'ada@example.com' });
  });

  it('leaves documents without a personal part alone', async () => {
    const { person, documents } = await start();
    for (const document of [
      {},
      { id: 1 },
      { person, personal: null },
      { person: null, personal: null },
      { person },
    ]) {
      const body = await documents.seal(document);
      expect(body).toEqual(document);
      expect(await documents.open(body)).toEqual(document);
    }
  });

  it('opens, and seals, with null after the erasure', async () => {
    const { vault, person, documents } = await start();
    const document = { id: '1', person, personal: { email: 'ada@example.com' }, count: 1 };
    const body = await documents.seal(document);
    await vault.keys.erase(person);
    const erased = { id: '1', person, personal: null, count: 1 };
    expect(await documents.open(body)).toEqual(erased);
    expect(JSON.stringify(await documents.seal(document))).toBe(JSON.stringify(erased));
  });

  it('stops on a missing key', async () => {
    const { vault, person, documents } = await start();
    const document = { person, personal: { email: 'ada@example.com' } };
    const body = await documents.seal(document);
    vault.known.delete(person);
    await expect((async () => documents.open(body))()).rejects.toThrow(MissingKey);
    await expect((async () => documents.seal(document))()).rejects.toThrow(MissingKey);
  });

  it('refuses a personal part that nobody owns, or that was never sealed', async () => {
    const { person, documents } = await start();
    await expect((async () => documents.seal({ personal: {} }))()).rejects.toThrow(TypeError);
    await expect((async () => documents.open({ person, personal: { email: 'x' } }))()).rejects.toThrow(
      TypeError,
    );
    await expect((async () => documents.open({ person, personal: 'AAAA' }))()).rejects.toThrow(BrokenSeal);
  });
});
