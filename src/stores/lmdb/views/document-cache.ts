import { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../../core/deep-freeze.js';
import type { StoredDocument } from '../../read-store.js';
import type { RecordHead } from './record.js';

/** Bytes of text whose parsed documents are kept. */
const CAPACITY = 8 * 1024 * 1024;
/** Larger documents are read seldom and would drive out many small ones. */
const LARGEST = 64 * 1024;

/**
 * Parsed documents by their keys: parsing is most of what reading a hot document costs. The record itself is looked up
 * each time; only where it is the one that was parsed, the former answer serves again. So documents are shared, and
 * frozen.
 */
export class DocumentCache {
  readonly #known = new LRUCache<string, StoredDocument>({ maxSize: CAPACITY });

  /** No two contents of a document ever stand at one position with as many repairs. */
  get(key: Buffer, { position, repairs }: RecordHead): StoredDocument | null {
    const known = this.#known.get(key.toString('latin1'));
    return known?.position === position && (known.repairs ?? 0) === repairs ? known : null;
  }

  /** @param size of the document's record, in bytes */
  keep(key: Buffer, document: StoredDocument, size: number): StoredDocument {
    if (size > LARGEST) return document;
    this.#known.set(key.toString('latin1'), deepFreeze(document), { size });
    return document;
  }
}
