import type { Position } from '../../core/event-store.js';
import type { ViewCollection } from '../../stores/read-store.js';

/** What is held in memory at once of documents as JSON text, in characters. */
const CHARACTERS_AT_ONCE = 64 << 20;

/** In how many parts a collection is to be worked on: at most about so many documents each, and not too much text. */
export async function partsFor(collection: ViewCollection, atOnce: number): Promise<number> {
  let documents = 0;
  let characters = 0;
  for await (const { body } of collection.all()) {
    documents++;
    characters += JSON.stringify(body).length;
  }
  return Math.max(1, Math.ceil(documents / atOnce), Math.ceil(characters / CHARACTERS_AT_ONCE));
}

/** Some documents by chance. */
export interface Sample {
  /** At most so many. */
  readonly size: number;
  /** An integer: the same one chooses the same of the same documents. */
  readonly seed: number;
}

/** Each document with the same chance, in one reading of the collection (reservoir sampling); where each stands. */
export async function sampleOf(
  collection: ViewCollection,
  { size, seed }: Sample,
): Promise<readonly (readonly [id: string, position: Position])[]> {
  const sample: (readonly [string, Position])[] = [];
  const random = randomFrom(seed);
  let seen = 0;
  for await (const { id, position } of collection.all()) {
    const place = seen++ < size ? sample.length : Math.floor(random() * seen);
    if (place < size) sample[place] = [id, position];
  }
  return sample;
}

/** Mulberry32: numbers from 0 up to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
