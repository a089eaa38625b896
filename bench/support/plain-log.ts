import { open } from 'lmdb';

/** What somebody would write by hand: an event and its stream's version in one conditional write. */
export interface PlainLog {
  append(stream: string, revision: number, bytes: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
}

/** lmdb's own conditional write: it never comes back to JavaScript inside the transaction. */
export function conditional(folder: string): PlainLog {
  const root = open({ path: folder, noSubdir: false, overlappingSync: false });
  const events = root.openDB<Uint8Array, [string, number]>({ name: 'events', encoding: 'binary' });
  const heads = root.openDB<Uint8Array, string>({ name: 'heads', encoding: 'binary', useVersions: true });
  const mark = Buffer.of(1);
  return {
    append: (stream, revision, bytes) => {
      const write = (): void => {
        void events.put([stream, revision], bytes);
        void heads.put(stream, mark, revision);
      };
      return revision === 0 ? heads.ifNoExists(stream, write) : heads.ifVersion(stream, revision - 1, write);
    },
    close: () => root.close(),
  };
}

/** A transaction callback that reads the version and writes. lmdb puts those of one event turn together. */
export function transactional(folder: string): PlainLog {
  const root = open({ path: folder, noSubdir: false, overlappingSync: false });
  const events = root.openDB<Uint8Array, [string, number]>({ name: 'events', encoding: 'binary' });
  const heads = root.openDB<number, string>({ name: 'heads', encoding: 'ordered-binary' });
  return {
    append: (stream, revision, bytes) =>
      root.transaction(() => {
        if ((heads.get(stream) ?? -1) !== revision - 1) return false;
        void events.put([stream, revision], bytes);
        void heads.put(stream, revision);
        return true;
      }),
    close: () => root.close(),
  };
}
