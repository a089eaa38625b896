import { views } from '../../projections/index.js';
import { readConfiguration } from '../../src/app/config.js';
import { collectionOf } from '../../src/projection-engine/generations.js';
import { openStores } from '../../src/stores.js';

/**
 * Every document of every view of a data folder, opened, by view and id, without the positions, which are no part of
 * what a view says.
 */
export const dumpViews = async (
  dataDir: string,
): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> => {
  const stores = await openStores(readConfiguration({ DATA_DIR: dataDir }));
  try {
    const dump: Record<string, Record<string, string>> = {};
    for (const view of views) {
      const generation = await stores.readStore.pointers.get(view.name);
      if (!generation) throw new Error(`The view ${view.name} has no generation.`);
      const documents: Record<string, string> = {};
      for await (const { id, body, deleted, parkedAt } of collectionOf(
        stores.readStore,
        view,
        generation,
      ).all())
        documents[id] = JSON.stringify({ deleted, parkedAt, body: await stores.documents.open(body) });
      dump[view.name] = documents;
    }
    return dump;
  } finally {
    await stores.close();
  }
};
