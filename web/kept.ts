/** Small texts that outlive a reload. A browser may refuse to keep any: then nothing is kept. */
export interface Kept {
  get(name: string): string | null;
  /** @param value `null` removes it */
  set(name: string, value: string | null): void;
}

/** What can also tell what it keeps. */
export interface KeptMany extends Kept {
  /** Those that begin so, in any order. */
  names(prefix: string): readonly string[];
}

const PREFIX = 'assay.';

const keptIn = (storage: () => Storage, prefix = PREFIX): KeptMany => ({
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

/** For this tab, over a reload. */
export const forTab: Kept = keptIn(() => sessionStorage);
/** For this browser, whoever uses it. Never anything of a person. */
export const forBrowser: Kept = keptIn(() => localStorage);

const prefixOf = (subject: string): string => `${PREFIX}of/${encodeURIComponent(subject)}/`;

/** For this browser and one person, who finds it in every tab until the sign-out. */
export const forPerson = (subject: string): KeptMany => keptIn(() => localStorage, prefixOf(subject));

/** At the sign-out. */
export const dropAllOf = (subject: string): void => {
  const kept = forPerson(subject);
  for (const name of kept.names('')) kept.set(name, null);
};

/** The name under which another tab has changed something of a person; `null`: it was something else. */
export const changedFor = (subject: string, { key }: StorageEvent): string | null => {
  const prefix = prefixOf(subject);
  return key?.startsWith(prefix) ? key.slice(prefix.length) : null;
};
