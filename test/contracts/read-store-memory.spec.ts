import { describe, expect, it } from '@jest/globals';
import type { GenerationName } from '../../src/stores/read-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../support/memory-read-store.js';
import { at, document, readStoreContract, write } from './read-store.js';

readStoreContract('the store in memory', async () => {
  const database = new MemoryDatabase();
  return { connect: async () => openMemoryReadStore(database), remove: async () => undefined };
});

const VIEW = 'things.v1.g1' as GenerationName;

describe('the faults of the store in memory', () => {
  it('answers reads from an older state', async () => {
    const database = new MemoryDatabase();
    const fresh = openMemoryReadStore(database);
    const stale = openMemoryReadStore(database, {
      staleBy: ({ operation }) => (operation === 'get' ? 1 : 0),
    });
    await fresh.collection(VIEW, {}).apply([write(document('a', 1, 'old'))]);
    await fresh.collection(VIEW, {}).apply([write(document('a', 2, 'new'), 1)]);
    expect((await stale.collection(VIEW, {}).get('a'))?.body).toBe('old');
    // A write is still compared with the newest state.
    expect(await stale.collection(VIEW, {}).apply([write(document('a', 3), 1)])).toEqual(['behind']);
  });

  it('refuses writes that it could have taken', async () => {
    const store = openMemoryReadStore(new MemoryDatabase(), {
      refuses: (guarded) => guarded.document.id === 'b',
    });
    const view = store.collection(VIEW, {});
    expect(await view.apply([write(document('a', 1)), write(document('b', 1))])).toEqual([
      'written',
      'behind',
    ]);
    expect(await view.get('b')).toBeNull();
  });

  it('crashes before a call takes effect, or after', async () => {
    const database = new MemoryDatabase();
    const crash = (): never => {
      throw new Error('crash');
    };
    const before = openMemoryReadStore(database, { before: crash });
    await expect(before.checkpoints.advance('c', null, at(1))).rejects.toThrow('crash');
    const after = openMemoryReadStore(database, { after: crash });
    await expect(after.collection(VIEW, {}).apply([write(document('a', 1))])).rejects.toThrow('crash');
    const survivor = openMemoryReadStore(database);
    expect(await survivor.checkpoints.get('c')).toBeNull();
    expect(await survivor.collection(VIEW, {}).get('a')).not.toBeNull();
  });

  it('takes nothing that JSON would change', async () => {
    const view = openMemoryReadStore().collection(VIEW, {});
    for (const body of [-0, Number.NaN, new Date(), { a: [{ b: undefined }] }, new Map()]) {
      await expect(view.apply([write(document('a', 1, body as never))])).rejects.toThrow(TypeError);
    }
  });
});
