/** Values in arrays of at most `size`. */
export function* chunksOf<T>(values: Iterable<T>, size: number): Generator<readonly T[], void, undefined> {
  let chunk: T[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
