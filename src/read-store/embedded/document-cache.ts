import { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../event-store/deep-freeze.js';
import type { StoredDocument } from '../port.js';
import type { RecordHead } from './record.js';

/** Bytes of text whose parsed documents are kept. */
const CAPACITY = 8 * 1024 * 1024;
/** Larger documents are read seldom and would drive out many small ones. */
const LARGEST = 64 * 1024;

interface Known {
  readonly checksum: number;
  readonly size: number;
  readonly document: StoredDocument;
}

/**
 * Parsed documents by what the store holds of them: parsing is most of what reading a hot document costs. The
 * record itself is looked up each time; only where it is the one that was parsed, the former answer serves again.
 * So documents are shared, and frozen.
 */
export class DocumentCache {
  readonly #known = new LRUCache<string, Known>({ maxSize: CAPACITY, sizeCalculation: ({ size }) => size });

  get(collection: string, id: string, head: RecordHead, size: number): StoredDocument | null {
    const known = this.#known.get(`${collection}/${id}`);
    const same =
      known &&
      known.checksum === head.checksum &&
      known.size === size &&
      known.document.position === head.position &&
      (known.document.repairs ?? 0) === head.repairs;
    return same ? known.document : null;
  }

  keep(collection: string, { checksum }: RecordHead, document: StoredDocument, size: number): StoredDocument {
    if (size > LARGEST) return document;
    this.#known.set(`${collection}/${document.id}`, { checksum, size, document: deepFreeze(document) });
    return document;
  }
}
