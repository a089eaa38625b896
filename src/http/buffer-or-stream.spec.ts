import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { bufferOrStream } from './buffer-or-stream.js';

/** Pieces of a source that has to be released; `fails`: its reading, at the third piece. */
const source = (count: number, fails = false) => {
  const of = { isReleased: false, taken: 0 };
  const pieces = (async function* (): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (; of.taken < count; of.taken++) {
        if (fails && of.taken === 2) throw new Error('The store is away.');
        yield Buffer.alloc(10, of.taken);
      }
    } finally {
      of.isReleased = true;
    }
  })();
  return { of, pieces };
};

const streamed = async (pieces: AsyncGenerator<Buffer, void, undefined>): Promise<Readable> => {
  const body = await bufferOrStream(pieces, 15);
  expect(body).toBeInstanceOf(Readable);
  return body as Readable;
};

describe('a body that is made in pieces', () => {
  it('is one buffer if it is short, and a stream of the same bytes if it is long', async () => {
    const all = Buffer.concat([0, 1, 2].map((value) => Buffer.alloc(10, value)));
    expect(await bufferOrStream(source(3).pieces)).toEqual(all);
    expect(Buffer.concat(await (await streamed(source(3).pieces)).toArray())).toEqual(all);
  });

  it('releases what it reads from, whenever its reader leaves', async () => {
    const unread = source(9);
    const never = await streamed(unread.pieces);
    never.destroy();
    await once(never, 'close');

    const begun = source(9);
    const inTheMiddle = await streamed(begun.pieces);
    for await (const piece of inTheMiddle) if (piece) break;

    const whole = source(9);
    await (await streamed(whole.pieces)).toArray();

    const first = source(9);
    const alone = (await bufferOrStream(first.pieces, 1)) as Readable;
    alone.destroy();
    await once(alone, 'close');

    const failing = source(9, true);
    await expect((await streamed(failing.pieces)).toArray()).rejects.toThrow('The store is away.');

    await new Promise(setImmediate);
    for (const { of } of [unread, begun, whole, first, failing]) expect(of.isReleased).toBe(true);
    expect(unread.of.taken).toBeLessThan(3);
  });

  it('is answered as an error if that comes before it is a stream', async () => {
    const { of, pieces } = source(9, true);
    await expect(bufferOrStream(pieces)).rejects.toThrow('The store is away.');
    expect(of.isReleased).toBe(true);
  });
});
