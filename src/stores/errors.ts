import { StoreUnusable, Unavailable } from '../core/errors.js';

/** The read store did not answer in time. State in memory that depends on the call must be dropped. */
export class ReadStoreUnavailable extends Unavailable {
  readonly code = 'read_store_unavailable';
  override readonly name = 'ReadStoreUnavailable';
}

/** The store cannot use one generation's collection until an operator acts; the message says how. Others can be used. */
export class GenerationUnusable extends StoreUnusable {}

/** A cursor that this store did not make. */
export class BadCursor extends Error {
  readonly code = 'bad_cursor';
  override readonly name = 'BadCursor';
}

/** A document that cannot be stored (over 16 MiB). The engine parks it. */
export class DocumentTooLarge extends Error {
  readonly code = 'document_too_large';
  override readonly name = 'DocumentTooLarge';
  constructor(readonly id: string) {
    super(`The document ${id} is larger than 16 MiB.`);
  }
}
