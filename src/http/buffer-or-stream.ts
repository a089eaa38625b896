import { Readable } from 'node:stream';

/** A shorter body is sent as one buffer, with its length, unless the caller gives another limit. */
const WHOLE_BYTES = 1024 * 1024;

/**
 * The body of an answer whose pieces are made one after the other: one buffer if they end before `wholeBytes`, else a
 * stream. It resolves then. An error in a piece before that rejects, and is answered as an error; a later one cuts the
 * answer off. The stream takes the next piece only once the client has read the last one, so that a slow client costs
 * the memory of a piece.
 */
export const bufferOrStream = async (
  pieces: AsyncGenerator<Buffer, void, undefined>,
  wholeBytes = WHOLE_BYTES,
): Promise<Buffer | Readable> => {
  const first: Buffer[] = [];
  let bytes = 0;
  while (bytes < wholeBytes) {
    const next = await pieces.next();
    if (next.done) return Buffer.concat(first);
    first.push(next.value);
    bytes += next.value.byteLength;
  }
  const all = async function* () {
    try {
      for (let piece = first.shift(); piece; piece = first.shift()) yield piece;
      yield* pieces;
    } finally {
      await pieces.return();
    }
  };
  return Readable.from(all(), { objectMode: false, highWaterMark: 64 * 1024 });
};
