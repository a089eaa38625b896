import { type Signal, signal } from '@preact/signals';
import { type ListableStorage, personDatabase } from '../../shared/storage.js';

/** A file as it is kept until it is removed. */
export interface KeptBytes {
  readonly name: string;
  readonly sha256: string;
  readonly content: Uint8Array;
  /** The idempotency key of the command that sends it; absent: none sends it. */
  readonly key?: string;
}

/** Files of one person on this device, which survive a reload. */
export interface FileKeeper {
  /** The file under this key; `null`: none is kept. @throws {Error} the browser cannot read it now */
  get(key: string): Promise<KeptBytes | null>;
  /** Never throws: if the browser cannot store the file, it is kept in memory until the page is closed. */
  set(key: string, file: KeptBytes): Promise<void>;
  /** Removes the file, unless another one has replaced it. Never throws. @param sha256 of the file to remove */
  remove(key: string, sha256: string): Promise<void>;
}

const FILES = 'files';

/** The files of a person. The sign-out deletes them. */
export const fileKeeper = (subject: string): FileKeeper => {
  const unstored = new Map<string, KeptBytes>();
  let opened = open(personDatabase(subject)).catch(() => null);
  /** @returns whether the change is stored */
  const change = async (work: (files: IDBObjectStore) => void): Promise<boolean> => {
    try {
      const transaction = (await opened)?.transaction(FILES, 'readwrite');
      if (transaction === undefined) return false;
      work(transaction.objectStore(FILES));
      return await committed(transaction);
    } catch {
      return false;
    }
  };
  return {
    get: async (key) => {
      const read = async (): Promise<KeptBytes | undefined> => {
        const files = (await opened)?.transaction(FILES).objectStore(FILES);
        return files && done(files.get(key) as IDBRequest<KeptBytes | undefined>);
      };
      // A browser may end the connection, such as while the device sleeps.
      const readAgain = async (): ReturnType<typeof read> => {
        opened = Promise.resolve(await open(personDatabase(subject)));
        return read();
      };
      return unstored.get(key) ?? (await read().catch(readAgain)) ?? null;
    },
    set: async (key, file) => {
      unstored.set(key, file);
      // First, so that a file that cannot be stored leaves no older one, which a reload would send in its place.
      await change((files) => files.delete(key));
      const isStored = await change((files) => files.put(file, key));
      if (isStored && unstored.get(key) === file) unstored.delete(key);
    },
    remove: async (key, sha256) => {
      if (unstored.get(key)?.sha256 === sha256) unstored.delete(key);
      await change((files) => {
        const found = files.get(key) as IDBRequest<KeptBytes | undefined>;
        found.onsuccess = () => {
          if (found.result?.sha256 === sha256) files.delete(key);
        };
      });
    },
  };
};

const open = async (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(FILES);
  const database = await done(request);
  // A sign-out in any tab deletes the database, which waits for open connections.
  database.onversionchange = () => database.close();
  return database;
};

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing.'));
  });

/** A full disk fails the commit, not the request. @returns whether the transaction is stored */
const committed = (transaction: IDBTransaction): Promise<boolean> =>
  new Promise((resolve) => {
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => resolve(false);
  });

/**
 * Texts that are written on the page: an answer, files of a starter. Texts that were changed and not handed in since are
 * stored under another name, so that the sign-out counts them.
 */
export class TextDrafts {
  /** Set at each change, so that components that read the drafts are rendered again. */
  private readonly current: Signal<{ readonly storage: ListableStorage }>;
  private closed = false;

  /** @param ticket in a session */
  constructor(
    storage: ListableStorage,
    private readonly ticket: string,
  ) {
    this.current = signal({ storage });
  }

  /** `null`: it was not changed on this page. */
  of(name: string): string | null {
    return this.storage.get(this.unsent(name)) ?? this.storage.get(this.sent(name));
  }

  /** The names of all texts that were changed. */
  names(): readonly string[] {
    return [this.unsent(''), this.sent('')]
      .flatMap((prefix) => this.storage.names(prefix).map((name) => name.slice(prefix.length)))
      .filter((name, at, all) => all.indexOf(name) === at)
      .sort();
  }

  /** The names of the texts whose current version is not handed in. */
  get unsentNames(): readonly string[] {
    return this.storage.names(this.unsent('')).map((name) => name.slice(this.unsent('').length));
  }

  /** Stores nothing from now on. */
  close(): void {
    this.closed = true;
  }

  /** @param text `null` forgets the change @returns whether the browser keeps it */
  keep(name: string, text: string | null): boolean {
    if (this.closed) return false;
    this.current.value = { storage: this.storage };
    if (text !== null && text === this.storage.get(this.sent(name))) {
      this.storage.set(this.unsent(name), null);
      return true;
    }
    this.storage.set(this.unsent(name), text);
    if (text === null) this.storage.set(this.sent(name), null);
    return this.storage.get(this.unsent(name)) === text;
  }

  /** This text was handed in. If it was changed since, it stays unsent. */
  handedIn(name: string, text: string): void {
    if (this.closed) return;
    if (this.of(name) === text) this.storage.set(this.unsent(name), null);
    this.storage.set(this.sent(name), text);
    this.current.value = { storage: this.storage };
  }

  /**
   * Calls `changed` with each text that another tab stores under this name. Without it, the next letter typed here would
   * replace that text by an older one.
   * @returns ends it
   */
  watch(name: string, changed: (text: string) => void): () => void {
    const stored = ({ key, newValue }: StorageEvent) => {
      if (!key?.endsWith(`/${this.unsent(name)}`)) return;
      this.current.value = { storage: this.storage };
      if (newValue !== null) changed(newValue);
    };
    addEventListener('storage', stored);
    return () => removeEventListener('storage', stored);
  }

  private get storage(): ListableStorage {
    return this.current.value.storage;
  }

  private unsent(name: string): string {
    return `${UNSENT}${this.ticket}/${name}`;
  }

  private sent(name: string): string {
    return `sent-${UNSENT}${this.ticket}/${name}`;
  }
}

/** Prefix of the names of texts that are not handed in. */
const UNSENT = 'work/';
