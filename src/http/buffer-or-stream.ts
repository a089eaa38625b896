import { Readable } from 'node:stream';

/** Default of `wholeBytes`. */
const WHOLE_BYTES = 1024 * 1024;

/**
 * The body of an answer that is made in pieces. Resolves with one buffer if the pieces end before `wholeBytes`; else,
 * once that many are made, with a stream, which the caller must send or destroy. An error before that rejects, so that
 * it can be answered as an error; a later one cuts the answer off.
 */
export const bufferOrStream = async (
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  wholeBytes = WHOLE_BYTES,
): Promise<Buffer | Readable> => {
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < wholeBytes) {
    const next = await pieces.next();
    if (next.done) return Buffer.concat(first);
    first.push(next.value);
    bytes += next.value.byteLength;
  }
  return streamOf(first, pieces);
};

/**
 * Pieces as a stream, which takes the next one once the reader has taken the last. When the stream is closed, even
 * unread, `rest` is ended and releases its sources.
 * @param begun the first pieces, already taken from `rest`; the stream empties it
 */
const streamOf = (begun: Uint8Array[], rest: AsyncGenerator<Uint8Array, void, undefined>): Readable => {
  const all = async function* () {
    for (let piece = begun.shift(); piece; piece = begun.shift()) yield piece;
    yield* rest;
  };
  const stream = Readable.from(all(), { objectMode: false, highWaterMark: 64 * 1024 });
  // If the stream was never read, `all` has not started, and destroying it does not reach `rest`.
  stream.once('close', () => void rest.return().catch(() => undefined));
  return stream;
};
