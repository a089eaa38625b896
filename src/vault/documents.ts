import { type MaybePromise, whenThere } from '../core/concurrency.js';
import type { Sealer } from '../core/sealing.js';
import type { PersonId } from '../core/vault/port.js';

/**
 * The fields of a view's document that sealing uses: `personal` is sealed under the key of `person`. A document about
 * no person has neither; `personal` is `null` or left out if there is nothing personal, or if the person was erased.
 */
export interface SealableDocument {
  readonly person?: PersonId | null;
  readonly personal?: object | null;
}

/** A document in its stored form: `personal`, if there is one, is a sealed string. */
export type SealedBody =
  null | boolean | number | string | readonly SealedBody[] | { readonly [key: string]: SealedBody };

/**
 * Seals the top-level `personal` of view documents under the key of their `person`; everything else is unchanged,
 * members in their order. A `personal` of `null` stays `null`. After the person's erasure every document is sealed, and
 * opened, with `null`, so that a fold that read the person just before stores nothing of them. Both return without a
 * promise if the key is cached.
 */
export class DocumentSealer {
  constructor(private readonly sealer: Sealer) {}

  /** @throws {MissingKey} neither key nor tombstone */
  seal(document: SealableDocument): MaybePromise<SealedBody> {
    const { person, personal } = document;
    if (!personal) return document as SealedBody;
    if (!person)
      throw new TypeError('A document has a personal part but names no person under whose key to seal it.');
    const sealed = this.sealer.seal(person, JSON.stringify(personal));
    return whenThere(sealed, (text) => ({ ...document, personal: text }));
  }

  /**
   * @throws {MissingKey} neither key nor tombstone
   * @throws {BrokenSeal} changed in the store
   */
  open(body: SealedBody): MaybePromise<SealableDocument> {
    const { person, personal } = body as { readonly person?: unknown; readonly personal?: unknown };
    if (personal === null || personal === undefined) return body as SealableDocument;
    if (typeof person !== 'string' || typeof personal !== 'string')
      throw new TypeError('A stored document has a personal part that is not sealed.');
    return whenThere(this.sealer.open(person as PersonId, personal), (opened): SealableDocument => ({
      ...(body as SealableDocument),
      personal: opened === 'erased' ? null : (JSON.parse(opened.toString()) as object),
    }));
  }

  /** The document with `personal` as `null`: the part that can be read without a key. */
  outline(body: SealedBody): SealableDocument {
    const document = body as SealableDocument;
    return document.personal === null || document.personal === undefined
      ? document
      : { ...document, personal: null };
  }
}
