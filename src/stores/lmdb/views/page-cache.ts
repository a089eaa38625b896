import { LRUCache } from 'lru-cache';
import type { GenerationName, Page, PageOptions } from '../../read-store.js';

/** Bytes of the records whose pages are kept. */
const CAPACITY = 8 * 1024 * 1024;
/** Larger pages are read seldom and would drive out many small ones. */
const LARGEST = 512 * 1024;

interface Known {
  readonly commit: number;
  readonly page: Page;
}

/** A page that is asked for. */
export interface Asked {
  readonly key: string;
  readonly commit: number;
  /** `null`: it has to be read. */
  readonly known: Page | null;
}

/**
 * Pages by what was asked for: walking an index is most of what a hot list costs. As long as nothing at all was
 * committed since, whatever it was, a page is what it was. So pages are shared, and never changed.
 */
export class PageCache {
  readonly #known = new LRUCache<string, Known>({ maxSize: CAPACITY });

  /** @param commit the store's last one, looked up before the page is read */
  ask(commit: number, generation: GenerationName, what: PageOptions): Asked {
    const key = generation + JSON.stringify(what);
    const known = this.#known.get(key);
    return { key, commit, known: known?.commit === commit ? known.page : null };
  }

  /** @param size of the page's records, in bytes */
  keep({ key, commit }: Asked, page: Page, size: number): Page {
    if (size <= LARGEST) this.#known.set(key, { commit, page }, { size: size + key.length });
    return page;
  }
}
