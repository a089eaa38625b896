import { Readable } from 'node:stream';

/** A shorter body is sent as one buffer, with its length, unless the caller gives another limit. */
const WHOLE_BYTES = 1024 * 1024;

/**
 * The body of an answer whose pieces are made one after the other: one buffer if they end before `wholeBytes`, else a
 * stream. It resolves then. An error in a piece before that rejects, and is answered as an error; a later one cuts the
 * answer off.
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
 * Pieces as a stream, which takes the next one once its reader has taken the last. However it ends, also before anybody
 * has read of it, `rest` is ended and releases what it reads from: so whoever does not send the stream destroys it.
 * @param begun the pieces that were taken of `rest` already; the stream empties it
 */
const streamOf = (begun: Uint8Array[], rest: AsyncGenerator<Uint8Array, void, undefined>): Readable => {
  const all = async function* () {
    for (let piece = begun.shift(); piece; piece = begun.shift()) yield piece;
    yield* rest;
  };
  const stream = Readable.from(all(), { objectMode: false, highWaterMark: 64 * 1024 });
  // A generator that was never asked for anything has no `finally` of its own to run.
  stream.once('close', () => void rest.return().catch(() => undefined));
  return stream;
};
