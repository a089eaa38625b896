import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { NOW } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { beginFileSet, fileSet } from '../../domain/ticket/file-set.js';
import { packTarHere } from '../../work/archives.js';
import { FILE_SET_LIMITS } from '../../work/limits.js';
import { treeOf } from '../../work/tree.js';
import { Uploads } from '../uploads/uploads.js';
import { CompleteFileSet, CompleteFileSetHandler } from './complete-file-set.js';
import { fileOfSet, FileSets } from './file-sets.js';

const ids = {
  organisationId: '0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b01',
  ticketId: '0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b02',
  fileSetId: '0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b03',
};
const of = fileOfSet(ids);

describe('a refused file set', () => {
  let vault: MemoryVault;
  let contexts: CommandContexts;
  let streams: CommandStreams;
  beforeEach(async () => {
    vault = new MemoryVault();
    contexts = new CommandContexts(await KeyedHasher.of(vault), () => new Date(NOW));
    streams = new CommandStreams(new MemoryEventStore(), createCodec(eventRegistry, new Sealer(vault)));
  });

  const complete = async (name: string, content: Uint8Array) => {
    const context = () => contexts.forSystem({ type: 'system', id: 'test' }, 'request');
    const announced = {
      name,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
    await streams.handle(fileSet, ids.fileSetId, context(), (before) =>
      beginFileSet(before, { ...ids, ...announced }),
    );
    await vault.keys.create(of.person);
    await vault.files.append(of, 0, content);
    const uploads = new Uploads(vault);
    const handler = new CompleteFileSetHandler(streams, new FileSets(streams, vault, uploads), uploads);
    return handler.execute(
      new CompleteFileSet(contexts.forSystem({ type: 'system', id: 'test' }, 'end'), ids),
    );
  };
  const folder = 'a'.repeat(200);
  const longPaths = Array.from({ length: FILE_SET_LIMITS.files }, (_, n) => ({
    path: `${folder}/${n}.txt`,
    content: Buffer.from(`${n}`),
  }));

  it.each([
    { name: 'is no archive', file: 'broken.zip', content: async () => Buffer.from('PK no zip') },
    { name: 'has too long paths in all', file: 'long.tar', content: () => packTarHere(treeOf(longPaths)) },
  ])('leaves nothing stored if it $name', async ({ file, content }) => {
    expect(await complete(file, await content())).toMatchObject({
      kind: 'refused',
      refusal: { code: 'work_refused' },
    });
    expect(await vault.files.size(of)).toBe(0);
  });
});
