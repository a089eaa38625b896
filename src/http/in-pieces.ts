import { Readable } from 'node:stream';

/** What is answered whole unless told: with its length, and any fault as an error of its own. */
const WHOLE_BYTES = 1024 * 1024;

/**
 * A body that comes in pieces: as one buffer if it is short, else as a stream that reads on only as its reader does,
 * so that a slow one holds a piece and not the whole. What is read until then is waited for: a fault in it is answered
 * as such, a later one breaks the answer off.
 */
export const inPieces = async (
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
