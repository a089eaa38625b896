import type { Collection, Document } from 'mongodb';
import type { Calls } from './calls.js';

const PAGE = 200;

/** Every document of a collection in the order of their ids, page by page, each page a call of its own. */
export async function* pages<D extends { readonly _id: string }>(
  calls: Calls,
  collection: Collection<D>,
): AsyncGenerator<readonly D[], void, undefined> {
  const documents = collection as unknown as Collection<Document & { _id: string }>;
  for (let after: string | undefined; ;) {
    const filter = after === undefined ? {} : { _id: { $gt: after } };
    const page = (await calls.run(() =>
      documents.find(filter).sort({ _id: 1 }).limit(PAGE).toArray(),
    )) as unknown as readonly D[];
    if (page.length > 0) yield page;
    after = page.at(-1)?._id;
    if (after === undefined || page.length < PAGE) return;
  }
}
