import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamName } from '../../../../src/core/event-store.js';
import { newId } from '../../../../src/core/random.js';
import { type EmbeddedEventStore, openEmbeddedLog } from '../../../../src/stores/lmdb/log/log.js';
import type { Batch } from './entry.js';
import { Journal } from './journal.js';

const PART_BYTES = 512 * 1024;

describe('the journal of the EventStoreDB test server', () => {
  let folder: string;
  let embedded: EmbeddedEventStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-journal-'));
    embedded = await openEmbeddedLog(folder);
  });
  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true });
  });

  const load = async (): Promise<{ journal: Journal; found: { batch: Batch; bytes: Buffer }[] }> => {
    const journal = new Journal(embedded);
    const found: { batch: Batch; bytes: Buffer }[] = [];
    for await (const batch of journal.load()) found.push(batch);
    return { journal, found };
  };
  /** The first part of a batch, without its last part. */
  const cutOff = async (after: number): Promise<void> => {
    const part = { id: newId(), type: 'first', data: Buffer.from('lost'), metadata: new Uint8Array() };
    await embedded.append('journal-0' as StreamName, after, [part]);
  };

  it('returns batches of any size, in their order', async () => {
    const { journal } = await load();
    const sizes = [1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES, 7];
    const written = sizes.map((size, n) => journal.write(Buffer.alloc(size, n)));
    await Promise.all(written.map(({ durable }) => durable));
    const { journal: again, found } = await load();
    expect(found.map(({ bytes }) => [bytes.length, bytes[0]])).toEqual(sizes.map((size, n) => [size, n]));
    expect(found.map(({ batch }) => batch)).toEqual(written.map(({ batch }) => batch));
    for (const order of ['any', 'forward', 'backward'] as const) {
      for (const [n, { batch }] of found.entries()) {
        const bytes = await again.read(batch, order);
        expect([bytes.length, bytes[0]]).toEqual([sizes[n], n]);
      }
    }
  });

  it('skips a batch that a kill has cut off, and continues after it', async () => {
    const { journal } = await load();
    await journal.write(Buffer.from('before')).durable;
    await cutOff(0);
    const { journal: second, found } = await load();
    expect(found.map(({ bytes }) => bytes.toString())).toEqual(['before']);
    const after = second.write(Buffer.from('after'));
    await after.durable;
    expect(after.batch).toEqual({ first: 2, parts: 1 });
    const { journal: third, found: all } = await load();
    expect(all.map(({ bytes }) => bytes.toString())).toEqual(['before', 'after']);
    expect((await third.read(after.batch, 'backward')).toString()).toBe('after');
  });

  it('fails if another process has written', async () => {
    const { journal } = await load();
    await journal.write(Buffer.from('before')).durable;
    await cutOff(0);
    await expect(journal.write(Buffer.from('after')).durable).rejects.toThrow(/another process/);
  });
});
