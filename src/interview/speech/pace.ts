import { performance } from 'node:perf_hooks';
import { pause } from '../../core/backoff.js';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';

/** What each piece holds. */
export const FRAME_MS = 40;
const FRAME_BYTES = FRAME_MS * BYTES_PER_MS;
/** So much is sent before it is heard: enough for a slow line, little enough that an interruption is one. */
const AHEAD_MS = 2_000;

/**
 * PCM in pieces of 40 ms, the last one filled up with silence, at most two seconds ahead of a listener who began
 * with the first one and heard each as soon as there was any. Ends at once when aborted, also while `pieces` hangs;
 * whoever makes them is told by the same signal.
 * @param pieces of any even length @throws what `pieces` throws, after what came before it
 */
export async function* paced(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const aborted = new Aborted(signal);
  try {
    let heardFrom = performance.now();
    let sentMs = 0;
    for await (const frame of frames(untilAborted(pieces, aborted))) {
      // Where the listener had to wait, all that follows is heard later by that.
      heardFrom = Math.max(heardFrom, performance.now() - sentMs);
      const early = heardFrom + sentMs - AHEAD_MS - performance.now();
      if (early > 0) await pause(early, signal);
      if (signal.aborted) return;
      sentMs += FRAME_MS;
      yield frame;
    }
  } finally {
    aborted.forget();
  }
}

async function* frames(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let frame = new Uint8Array(FRAME_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength;) {
      const part = piece.subarray(at, at + FRAME_BYTES - filled);
      frame.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled < FRAME_BYTES) continue;
      yield frame;
      frame = new Uint8Array(FRAME_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield frame;
}

async function* untilAborted(
  pieces: AsyncIterable<Uint8Array>,
  aborted: Aborted,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = pieces[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await aborted.or(source.next());
      if (next === null) return;
      if (next.done) {
        isOver = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not waited for: it may hang in the piece that nobody wants any more.
    if (!isOver) source.return?.().then(undefined, () => undefined);
  }
}

/** An abort signal as something that can be waited for. */
class Aborted {
  private readonly promise: Promise<null>;
  private resolve: () => void = () => undefined;

  constructor(private readonly signal: AbortSignal) {
    this.promise = new Promise((resolve) => {
      this.resolve = () => resolve(null);
    });
    if (signal.aborted) this.resolve();
    else signal.addEventListener('abort', this.resolve, { once: true });
  }

  /** What comes first; `null`: the abort. */
  async or<T>(work: Promise<T>): Promise<T | null> {
    work.catch(() => undefined);
    return this.signal.aborted ? null : Promise.race([work, this.promise]);
  }

  forget(): void {
    this.signal.removeEventListener('abort', this.resolve);
  }
}

/**
 * Reads a source as fast as it gives, ahead of whoever reads this: what makes speech is through with it long before
 * it has been heard, and is not held up by a listener. The source bounds its own length. It ends with its reader.
 * @param source made with a signal of its own, which ends with the given one
 */
export async function* readAhead<T>(
  source: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const own = new AbortController();
  const abort = (): void => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const read: T[] = [];
  let wake = (): void => undefined;
  const pump = async (): Promise<void> => {
    for await (const piece of source(own.signal)) {
      read.push(piece);
      wake();
    }
  };
  let end: { readonly error: unknown } | 'well' | null = null;
  const pumped = pump().then(
    () => (end = 'well'),
    (error: unknown) => (end = { error }),
  );
  void pumped.then(() => wake());
  // Read through a function: it changes while this one waits.
  const ended = (): typeof end => end;
  try {
    for (let at = 0; ; at += 1) {
      while (at >= read.length && ended() === null) await new Promise<void>((resolve) => (wake = resolve));
      const piece = read[at];
      const isOver = at >= read.length;
      const how = ended();
      if (isOver && how !== null && how !== 'well') throw how.error;
      if (isOver) return;
      if (piece !== undefined) yield piece;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    own.abort();
    await pumped;
  }
}
