import { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../../core/json.js';
import type { GenerationName, Page, PageOptions, StoredDocument } from '../../read-store.js';
import type { RecordHead } from './record.js';

/** Bytes of text whose parsed documents are kept. */
const DOCUMENTS_KEPT = 8 * 1024 * 1024;
/** Larger documents are read seldom and would drive out many small ones. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** Bytes of the records whose pages are kept. */
const PAGES_KEPT = 8 * 1024 * 1024;
/** Larger pages are read seldom and would drive out many small ones. */
const MAX_PAGE_BYTES = 512 * 1024;

/**
 * Parsed documents by their keys: parsing is most of what reading a hot document costs. The record itself is looked up
 * each time; only if it is the one that was parsed, the former answer serves again. So documents are shared, and
 * frozen.
 */
export class DocumentCache {
  readonly #known = new LRUCache<string, Parsed>({ maxSize: DOCUMENTS_KEPT });

  /** The checksum tells a document from the one of a dropped collection of the same name, whose position may be the same. */
  get(key: Buffer, { checksum, position, repairs }: RecordHead): StoredDocument | null {
    const known = this.#known.get(key.toString('latin1'));
    if (known?.checksum !== checksum) return null;
    const { document } = known;
    return document.position === position && (document.repairs ?? 0) === repairs ? document : null;
  }

  /** @param size of the document's record, in bytes */
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

interface Known {
  /** The generation's mark when the page was read. */
  readonly change: Buffer;
  readonly page: Page;
}

/** A page that is asked for. */
export interface Asked {
  readonly key: string;
  /** `null`: it has to be read. */
  readonly known: Page | null;
}

/**
 * Pages by what was asked for: walking an index is most of what a hot list costs. As long as none of its generation's
 * documents was changed, a page is what it was. So pages are shared, and never changed.
 */
export class PageCache {
  readonly #known = new LRUCache<string, Known>({ maxSize: PAGES_KEPT });

  /** @param change reads the generation's mark, if a page is known */
  ask(generation: GenerationName, what: PageOptions, change: () => Buffer): Asked {
    const key = keyOf(generation, what);
    const known = this.#known.get(key);
    return { key, known: known?.change.equals(change()) ? known.page : null };
  }

  /**
   * @param change the generation's mark in the snapshot that the page was read from
   * @param size of the page's records, in bytes
   */
  keep({ key }: Asked, change: Buffer, page: Page, size: number): Page {
    if (size <= MAX_PAGE_BYTES) this.#known.set(key, { change, page }, { size: size + key.length });
    return page;
  }
}

/** Differs for any two pages; JSON takes several times as long. */
const keyOf = (generation: GenerationName, what: PageOptions): string => {
  const { index, prefix, limit, maxBytes, reverse = false, cursor, from, upTo, startsWith } = what;
  let key = `${generation} ${limit} ${maxBytes} ${reverse} `;
  for (const part of [index, cursor, from, upTo, startsWith]) key += written(part);
  for (const part of prefix) key += written(part);
  return key;
};

/** No text begins as another one with something behind it. */
const written = (part: string | number | undefined): string =>
  typeof part === 'string' ? `${part.length}:${part}` : `${part};`;
