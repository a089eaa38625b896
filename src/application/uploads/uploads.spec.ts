import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import type { PersonId } from '../../core/vault/port.js';
import type { FileOf, Vault } from '../../vault/port.js';
import { HAND_IN_LIMITS } from '../../work/limits.js';
import { Uploads } from './uploads.js';

const OF: FileOf = { person: 'ada' as PersonId, fileId: 'hand-in' };
const MEANT = Buffer.from('const a = 1;');
const OTHER = Buffer.from('const b = 2;');
const ANNOUNCED = { bytes: MEANT.length, sha256: createHash('sha256').update(MEANT).digest('hex') };

/** An upload of other content. @param meanwhile done once after the completion has read it */
const given = async (meanwhile: (files: Vault['files']) => Promise<unknown>) => {
  const { keys, files } = new MemoryVault();
  await keys.create(OF.person);
  await files.append(OF, 0, OTHER);
  let isRead = false;
  const read = async function* (of: FileOf): AsyncGenerator<Buffer, void, undefined> {
    yield* files.read(of);
    if (isRead) return;
    isRead = true;
    await meanwhile(files);
  };
  const discard = (of: FileOf) => files.discard(of);
  const uploads = new Uploads({ files: { size: (of: FileOf) => files.size(of), read, discard } as never });
  return { files, complete: () => uploads.manifest(OF, ANNOUNCED, 'a.js', HAND_IN_LIMITS) };
};

const sendAgain =
  (bytes: Buffer) =>
  async (files: Vault['files']): Promise<void> => {
    await files.discard(OF);
    await files.append(OF, 0, bytes);
  };

describe('an upload of other content than was announced', () => {
  it('is discarded', async () => {
    const { files, complete } = await given(async () => undefined);
    expect(await complete()).toMatchObject({ refusal: { code: 'hand_in_incomplete' } });
    expect(await files.size(OF)).toBe(0);
  });

  it.each([
    ['all', MEANT],
    ['a part', MEANT.subarray(0, 5)],
  ])('is discarded only if it is still what was read: %s that was sent again stays', async (_, again) => {
    const { files, complete } = await given(sendAgain(again));
    expect(await complete()).toMatchObject({ refusal: { code: 'hand_in_incomplete' } });
    expect(await files.size(OF)).toBe(again.length);
  });
});
