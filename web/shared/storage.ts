/**
 * What the pages keep in a browser: for a tab, for everybody who uses the browser, or for one person until they sign out.
 * All of it outlives a reload. A browser may refuse to store anything: then `get` answers `null`, and nothing throws.
 */
export interface TextStorage {
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

/** The browser's own key of an item that is for everybody. */
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
/** Storage of this browser, for everybody who uses it: never for anything of a person. */
export const browserStorage: TextStorage = storageIn(() => localStorage);

const prefixOf = (subject: string): string => `${PREFIX}of/${encodeURIComponent(subject)}/`;

/** Storage of one person in this browser, the same in every tab, until the person signs out. */
export const personStorage = (subject: string): ListableStorage =>
  storageIn(() => localStorage, prefixOf(subject));

/** The database with a person's files, where what is too large for texts is kept. */
export const personDatabase = prefixOf;

/** Removes all that is stored for a person, in every tab: at the sign-out. */
export const clearPersonStorage = (subject: string): void => {
  const storage = personStorage(subject);
  for (const name of storage.names('')) storage.set(name, null);
  try {
    indexedDB.deleteDatabase(personDatabase(subject));
  } catch {
    // Not allowed: then there is none.
  }
};

/** The name of the item of a person that another tab has changed; `null`: the event is about something else. */
export const changedItemOf = (subject: string, { key }: StorageEvent): string | null => {
  const prefix = prefixOf(subject);
  return key?.startsWith(prefix) ? key.slice(prefix.length) : null;
};
