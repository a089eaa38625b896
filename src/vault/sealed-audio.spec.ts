import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { BrokenSeal, type PersonId } from '../core/vault/port.js';
import { SealedChunks } from './sealed-chunks.js';

it('audio that is shorter than its head is reported as broken, though its seal holds', async () => {
  const vault = new MemoryVault();
  const [person, log] = [randomUUID() as PersonId, randomUUID()];
  await vault.keys.create(person);
  const sealed = new SealedChunks('audio', vault.keys, vault.chunks);
  const place = { part: 1, firstSeq: 1, lastSeq: 1 };
  expect(await sealed.append({ person, log }, place, [Buffer.alloc(16)])).toBe(true);
  const read = vault.audio.read({ person, trialSessionId: log }, 1)[Symbol.asyncIterator]();
  await expect(read.next()).rejects.toThrow(BrokenSeal);
});
