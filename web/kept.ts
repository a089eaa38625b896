/** Small texts that outlive a reload. A browser may refuse to keep any: then nothing is kept. */
export interface Kept {
  get(name: string): string | null;
  /** @param value `null` removes it */
  set(name: string, value: string | null): void;
}

const PREFIX = 'assay.';

const keptIn = (storage: () => Storage): Kept => ({
  get: (name) => {
    try {
      return storage().getItem(PREFIX + name);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      if (value === null) storage().removeItem(PREFIX + name);
      else storage().setItem(PREFIX + name, value);
    } catch {
      // Full, or not allowed.
    }
  },
});

/** For this tab, over a reload. */
export const forTab = keptIn(() => sessionStorage);
/** For this browser. Never anything of a person. */
export const forBrowser = keptIn(() => localStorage);
