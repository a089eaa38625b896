/** JSON text in pieces, which are made when they are read. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

/** Writes a value that is small enough to be in memory as a whole. */
export const value = (one: unknown): Pieces => [JSON.stringify(one)];

/** Pieces that are made only when they are read, after the pieces before them. */
export async function* later(make: () => Pieces | Promise<Pieces>): AsyncGenerator<string, void, undefined> {
  yield* await make();
}

/** Writes an object with these members, in their order. */
export async function* object(
  members: Readonly<Record<string, Pieces>>,
): AsyncGenerator<string, void, undefined> {
  let before = '{';
  for (const [name, pieces] of Object.entries(members)) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces;
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Writes an array of the items. */
export async function* array<T>(
  items: Iterable<T> | AsyncIterable<T>,
  write: (item: T) => Pieces,
): AsyncGenerator<string, void, undefined> {
  let before = '[';
  for await (const item of items) {
    yield before;
    yield* write(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Writes bytes as a string in base64. */
export async function* base64(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  yield '"';
  // Up to two bytes that do not fill a group of three wait for the next piece.
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece]);
    const whole = all.byteLength - (all.byteLength % 3);
    yield all.toString('base64', 0, whole);
    rest = all.subarray(whole);
  }
  yield `${Buffer.from(rest).toString('base64')}"`;
}

/** Characters of a piece of `gathered`: a piece for each member would cost more than its text. */
const AT_ONCE = 64 * 1024;

/** The text in UTF-8, in larger pieces, ready to send. */
export async function* gathered(pieces: Pieces): AsyncGenerator<Buffer, void, undefined> {
  let waiting: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < AT_ONCE) continue;
    yield Buffer.from(waiting.join(''));
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(waiting.join(''));
}
