/** JSON text in pieces, made as they are asked for. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

/** A value that is small enough to be in memory whole. */
export const value = (one: unknown): Pieces => [JSON.stringify(one)];

/** Pieces that are begun only once what comes before them has been written. */
export async function* later(make: () => Pieces | Promise<Pieces>): AsyncGenerator<string, void, undefined> {
  yield* await make();
}

/** An object of the named members, in their order. */
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

/** An array of what comes, one after the other. */
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

/** A string of the bytes in base64. */
export async function* base64(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  yield '"';
  // What does not fill three bytes waits for the next ones.
  let rest: Uint8Array = new Uint8Array(0);
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece]);
    const whole = all.byteLength - (all.byteLength % 3);
    yield all.toString('base64', 0, whole);
    rest = all.subarray(whole);
  }
  yield `${Buffer.from(rest).toString('base64')}"`;
}

/** Characters that go out at once: a piece for each member would cost more than its text. */
const AT_ONCE = 64 * 1024;

/** The text in UTF-8, in pieces of a size that is good to send. */
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
