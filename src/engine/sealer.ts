import type { Json } from '../stores/read-store.js';
import type { ViewDocument } from './view.js';

/** Between a document as folds see it and its body as stores keep it: personal parts sealed. */
export interface DocumentSealer {
  /** Leaves everything but `personal` as it is. May throw (no key): the segment then stops. */
  seal(document: ViewDocument): Json | Promise<Json>;
  /** The inverse; `personal` is `null` once its person is erased. */
  open(body: Json): ViewDocument | Promise<ViewDocument>;
  /** The document with `personal` as `null`, for which no key is needed. */
  outline?(body: Json): ViewDocument;
  /** As `seal`, without a promise; `undefined` where it has to wait. A rebuild would be spent on promises. */
  sealNow?(document: ViewDocument): Json | undefined;
  /** As `open`, without a promise; `undefined` where it has to wait. */
  openNow?(body: Json): ViewDocument | undefined;
}
