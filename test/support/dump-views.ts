import { views } from '../../projections/index.js';
import type { Position } from '../../src/core/event-store.js';
import { collectionOf } from '../../src/engine/generations/generations.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores, type Stores } from '../../src/process/stores.js';

/** Documents by view and id, as text. */
export type Dump = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Every document of every view, opened, by view and id, without the positions, which are no part of what a view says.
 */
export const dumpOf = async ({
  readStore,
  documents,
}: Pick<Stores, 'readStore' | 'documents'>): Promise<Dump> => {
  const dump: Record<string, Record<string, string>> = {};
  for (const view of views) {
    const pointer = await readStore.pointers.get(view.name);
    if (!pointer) throw new Error(`The view ${view.name} has no generation.`);
    const texts: Record<string, string> = {};
    for await (const { id, body, deleted, parkedAt } of collectionOf(readStore, view, pointer.live).all())
      texts[id] = JSON.stringify({ deleted, parkedAt, body: await documents.open(body) });
    dump[view.name] = texts;
  }
  return dump;
};

/** The same of a data folder, or of what other settings name. */
export const dumpViews = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Dump> => (await dumpWithHead(dataDir, settings)).dump;

/** The documents with the log's head. No service runs: two dumps can be compared if their heads are equal. */
export const dumpWithHead = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ head: Position; dump: Dump }> => {
  const stores = await openStores(readConfiguration({ ...settings, DATA_DIR: dataDir }));
  try {
    return { head: await stores.eventStore.head(), dump: await dumpOf(stores) };
  } finally {
    await stores.close();
  }
};
