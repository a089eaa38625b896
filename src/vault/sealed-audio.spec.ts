import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { BrokenSeal, type PersonId } from '../core/vault/port.js';
import { SealedChunks } from './sealed-chunks.js';

/** One sealed chunk of audio, in memory. */
async function aChunkOf(bytes: number) {
  const vault = new MemoryVault();
  const [person, log] = [randomUUID() as PersonId, randomUUID()];
  await vault.keys.create(person);
  const sealed = new SealedChunks('audio', vault.keys, vault.chunks);
  const place = { part: 1, firstSeq: 1, lastSeq: 1 };
  expect(await sealed.append({ person, log }, place, [Buffer.alloc(bytes)])).toBe(true);
  return { vault, person, log };
}

it('audio that is shorter than its head is reported as broken, though its seal holds', async () => {
  const { vault, person, log } = await aChunkOf(16);
  const read = vault.audio.read({ person, trialSessionId: log }, 1)[Symbol.asyncIterator]();
  await expect(read.next()).rejects.toThrow(BrokenSeal);
});

it('a chunk that was sealed in another form is reported as broken, and not opened as if it were in this one', async () => {
  const { vault, person, log } = await aChunkOf(20);
  const { chunks } = vault;
  const former = chunks.chunks.bind(chunks);
  chunks.chunks = async function* (of, part) {
    for await (const chunk of former(of, part)) {
      chunk.sealed[0] = 2;
      yield chunk;
    }
  };
  const read = vault.audio.read({ person, trialSessionId: log }, 1)[Symbol.asyncIterator]();
  await expect(read.next()).rejects.toThrow(BrokenSeal);
});
