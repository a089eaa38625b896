/** The store did not answer in time or is away: what was sent may or may not have been stored. */
export class StoreUnavailable extends Error {
  readonly code = 'store_unavailable';
  override readonly name = 'StoreUnavailable';
}

/** An append that no store would take, however often it is sent. Nothing was stored. */
export class AppendRefused extends Error {
  readonly code = 'append_refused';
  override readonly name = 'AppendRefused';
}

/** The store's files are damaged, of a newer version or not ours: the sentence says what an operator can do. */
export class StoreUnusable extends Error {
  readonly code = 'store_unusable';
  override readonly name = 'StoreUnusable';
}
