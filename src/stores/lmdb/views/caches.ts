import { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../../core/json.js';
import type { GenerationName, Page, PageOptions, StoredDocument } from '../../read-store.js';
import type { RecordHead } from './record.js';

/** Most bytes of records whose parsed documents are cached. */
const DOCUMENTS_KEPT = 8 * 1024 * 1024;
/** Larger documents are read seldom and would drive out many small ones. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** Most bytes of records whose pages are cached. */
const PAGES_KEPT = 8 * 1024 * 1024;
/** Larger pages are read seldom and would drive out many small ones. */
const MAX_PAGE_BYTES = 512 * 1024;

/**
 * Parsed documents by their keys: parsing is most of the cost of reading a hot document. The caller looks the record up
 * each time, calls `get` with its head, and after a miss parses it and calls `keep`. Callers share the cached
 * documents, which are frozen.
 */
export class DocumentCache {
  readonly #known = new LRUCache<string, Parsed>({ maxSize: DOCUMENTS_KEPT });

  /**
   * The document that was parsed from this very record; `null`: none is cached. Position and repairs alone would also
   * match a document of a dropped collection of the same name: its checksum differs.
   */
  get(key: Buffer, { checksum, position, repairs }: RecordHead): StoredDocument | null {
    const known = this.#known.get(key.toString('latin1'));
    if (known?.checksum !== checksum) return null;
    const { document } = known;
    return document.position === position && (document.repairs ?? 0) === repairs ? document : null;
  }

  /** @param size the size of the document's record, in bytes @returns the same document, frozen if it is cached */
  keep(key: Buffer, { checksum }: RecordHead, document: StoredDocument, size: number): StoredDocument {
    if (size > MAX_DOCUMENT_BYTES) return document;
    this.#known.set(key.toString('latin1'), { checksum, document: deepFreeze(document) }, { size });
    return document;
  }
}

interface Parsed {
  readonly checksum: number;
  readonly document: StoredDocument;
}

interface CachedPage {
  /** The generation's change mark when the page was read. */
  readonly mark: Buffer;
  readonly page: Page;
}

/** The result of a look-up. */
export interface PageLookUp {
  /** The page's key in the cache, for `keep`. */
  readonly key: string;
  /** `null`: it is not cached; read it, and `keep` it. */
  readonly page: Page | null;
}

/**
 * Pages by the options that they were read with: walking an index is most of the cost of a hot list. Each generation
 * has a change mark in the store, random bytes that every write of its documents replaces: a cached page is valid while
 * the mark is the same. Callers share the cached pages and do not change them.
 */
export class PageCache {
  readonly #known = new LRUCache<string, CachedPage>({ maxSize: PAGES_KEPT });

  /** @param readMark reads the generation's change mark; called only if a page is cached */
  get(generation: GenerationName, options: PageOptions, readMark: () => Buffer): PageLookUp {
    const key = keyOf(generation, options);
    const known = this.#known.get(key);
    return { key, page: known?.mark.equals(readMark()) ? known.page : null };
  }

  /**
   * @param mark the generation's change mark in the snapshot that the page was read from
   * @param size the size of the page's records, in bytes
   */
  keep({ key }: PageLookUp, mark: Buffer, page: Page, size: number): Page {
    if (size <= MAX_PAGE_BYTES) this.#known.set(key, { mark, page }, { size: size + key.length });
    return page;
  }
}

/** Different for different options. JSON would take several times as long. */
const keyOf = (generation: GenerationName, options: PageOptions): string => {
  const { index, prefix, limit, maxBytes, reverse = false, cursor, from, upTo, startsWith } = options;
  let key = `${generation} ${limit} ${maxBytes} ${reverse} `;
  for (const part of [index, cursor, from, upTo, startsWith]) key += delimited(part);
  for (const part of prefix) key += delimited(part);
  return key;
};

/** A part's text, with its length if it is a string: so different lists of parts have different keys. */
const delimited = (part: string | number | undefined): string =>
  typeof part === 'string' ? `${part.length}:${part}` : `${part};`;
