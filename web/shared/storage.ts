/**
 * What the pages store in a browser: for a tab, for all users of the browser, or for one person until they sign out. It
 * survives a reload. If the browser refuses to store, `get` returns `null`, and no method throws.
 */
export interface TextStorage {
  /** `null`: nothing is stored under this name, or the browser refuses to store. */
  get(name: string): string | null;
  /** @param value `null` removes it */
  set(name: string, value: string | null): void;
}

/** A storage that can also list the names that it holds. */
export interface ListableStorage extends TextStorage {
  /** The names that begin with `prefix`, in any order. */
  names(prefix: string): readonly string[];
}

const PREFIX = 'assay.';

/** The browser's key of an item of `browserStorage`. */
export const itemKeyOf = (name: string): string => PREFIX + name;

const storageIn = (storage: () => Storage, prefix = PREFIX): ListableStorage => ({
  get: (name) => {
    try {
      return storage().getItem(prefix + name);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      if (value === null) storage().removeItem(prefix + name);
      else storage().setItem(prefix + name, value);
    } catch {
      // Full, or not allowed.
    }
  },
  names: (start) => {
    try {
      return Object.keys(storage())
        .filter((name) => name.startsWith(prefix + start))
        .map((name) => name.slice(prefix.length));
    } catch {
      return [];
    }
  },
});

/** Storage of this tab, which a reload keeps. */
export const tabStorage: TextStorage = storageIn(() => sessionStorage);
/** Storage of this browser, shared by all who use it: never for personal data. */
export const browserStorage: TextStorage = storageIn(() => localStorage);

const prefixOf = (subject: string): string => `${PREFIX}of/${encodeURIComponent(subject)}/`;

/** Storage of one person in this browser, the same in every tab, until the person signs out. */
export const personStorage = (subject: string): ListableStorage =>
  storageIn(() => localStorage, prefixOf(subject));

/** The name of the database with a person's files, which are too large for the storage of texts. */
export const personDatabase = prefixOf;

/** Removes all that is stored for a person, in every tab: at the sign-out. */
export const clearPersonStorage = (subject: string): void => {
  const storage = personStorage(subject);
  for (const name of storage.names('')) storage.set(name, null);
  try {
    indexedDB.deleteDatabase(personDatabase(subject));
  } catch {
    // The browser allows no storage, so there is none to clear.
  }
};

/** The name of the person's item that another tab has changed; `null`: the event is of another item. */
export const changedItemOf = (subject: string, { key }: StorageEvent): string | null => {
  const prefix = prefixOf(subject);
  return key?.startsWith(prefix) ? key.slice(prefix.length) : null;
};
