import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fileKeeper, type KeptBytes } from './keeping.js';

interface FakeTransaction {
  oncomplete?: () => void;
  onabort?: () => void;
  readonly objectStore: () => object;
}

/** The part of IndexedDB that is used. A file of more than `room` bytes fails the commit, as a full disk does. */
const databaseWith = (records: Map<string, KeptBytes>, room: number) => {
  const transaction = (): FakeTransaction => {
    const before = new Map(records);
    let open = 0;
    const end = (): void => {
      if (open > 0) return;
      if ([...records.values()].every(({ content }) => content.byteLength <= room)) made.oncomplete?.();
      else {
        records.clear();
        for (const [key, file] of before) records.set(key, file);
        made.onabort?.();
      }
    };
    const request = <T>(work: () => T) => {
      const asked: { result?: T; onsuccess?: () => void } = {};
      open += 1;
      setTimeout(() => {
        asked.result = work();
        asked.onsuccess?.();
        open -= 1;
        setTimeout(end);
      });
      return asked;
    };
    const store = {
      get: (key: string) => request(() => records.get(key)),
      put: (file: KeptBytes, key: string) => request(() => records.set(key, file)),
      delete: (key: string) => request(() => records.delete(key)),
    };
    const made: FakeTransaction = { objectStore: () => store };
    return made;
  };
  const state = { isLost: false, isAway: false };
  const open = () => {
    const asked: { result?: object; error?: Error; onsuccess?: () => void; onerror?: () => void } = {};
    // A connection that is lost stays so; a new one may work.
    let isLost = false;
    const begin = (): FakeTransaction => {
      isLost ||= state.isLost;
      if (isLost) throw new Error('The database connection is closing.');
      return transaction();
    };
    setTimeout(() => {
      asked.result = { transaction: begin };
      if (state.isAway) asked.onerror?.();
      else asked.onsuccess?.();
    });
    return asked;
  };
  return { open, state };
};

describe('a file that is kept for its upload', () => {
  let state: ReturnType<typeof databaseWith>['state'];

  beforeEach(() => {
    const database = databaseWith(new Map(), 100);
    ({ state } = database);
    Object.assign(globalThis, { indexedDB: database });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
  });

  const file = (bytes: number): KeptBytes => ({
    name: `${bytes}.bin`,
    sha256: `hash of ${bytes}`,
    content: new Uint8Array(bytes),
  });

  it('is there after a reload until it is removed', async () => {
    await fileKeeper('ann').set('t', file(10));
    const after = fileKeeper('ann');
    expect(await after.get('t')).toEqual(file(10));
    await after.remove('t', file(10).sha256);
    expect(await after.get('t')).toBeNull();
  });

  it('is read again over a new connection, and does not count as absent while there is none', async () => {
    const files = fileKeeper('ann');
    await files.set('t', file(10));
    Object.assign(state, { isLost: true, isAway: true });
    await expect(files.get('t')).rejects.toThrow();
    Object.assign(state, { isLost: false, isAway: false });
    expect(await files.get('t')).toEqual(file(10));
  });

  it('replaces an older one also if the browser cannot store it', async () => {
    const files = fileKeeper('ann');
    await files.set('t', file(10));
    await files.set('t', file(1_000));
    expect(await files.get('t')).toEqual(file(1_000));
    // A reload loses it, and sends no older one in its place.
    expect(await fileKeeper('ann').get('t')).toBeNull();
    await files.remove('t', file(1_000).sha256);
    expect(await files.get('t')).toBeNull();
  });

  it.each([20, 1_000])('is not removed with an older one (%i bytes)', async (bytes) => {
    const files = fileKeeper('ann');
    await files.set('t', file(bytes));
    await files.remove('t', file(10).sha256);
    expect(await files.get('t')).toEqual(file(bytes));
  });
});
