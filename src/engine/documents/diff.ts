import type { ViewCollection } from '../../stores/read-store.js';
import { chunksOf } from './chunks.js';
import {
  GenerationPairs,
  type Comparison,
  type DiffOptions,
  type DiffStores,
  type Side,
} from './generation-pairs.js';

/** Documents read at once. */
const CHUNK = 200;

/**
 * Compares two generations document by document while both move on. Two documents are compared where they stand at the
 * same position; or, the one behind, where its segment has passed the other's position, since then it has no event
 * left to come by there. Others are read again, and counted as moving after about half a second. One that comes into
 * being meanwhile may be left out: `changedSince` knows of it.
 * @throws {GenerationGone} one of them was dropped meanwhile
 * Throws what the stores throw.
 */
export async function diffGenerations(
  stores: DiffStores,
  left: Side,
  right: Side,
  options: DiffOptions = {},
): Promise<Comparison> {
  const pairs = new GenerationPairs(stores, left, right, options);
  const compareAll = async (): Promise<void> => {
    for await (const ids of idsOf(pairs.left)) {
      await options.pace?.turn();
      await pairs.compare(ids);
    }
    for await (const ids of idsOf(pairs.right)) {
      await options.pace?.turn();
      await pairs.compare(await pairs.withoutLeft(ids));
    }
  };
  return await pairs.report(compareAll);
}

/** The same of certain documents. */
export async function compareDocuments(
  stores: DiffStores,
  left: Side,
  right: Side,
  ids: Iterable<string>,
  options: DiffOptions = {},
): Promise<Comparison> {
  const pairs = new GenerationPairs(stores, left, right, options);
  return await pairs.report(async () => {
    for (const chunk of chunksOf(ids, CHUNK)) await pairs.compare(chunk);
  });
}

async function* idsOf(collection: ViewCollection): AsyncGenerator<readonly string[], void, undefined> {
  let ids: string[] = [];
  for await (const { id } of collection.all()) {
    ids.push(id);
    if (ids.length < CHUNK) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}
