import { EventEmitter, on, once } from 'node:events';
import { Cutter } from '../../../packages/interview-client/src/cutter.js';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { pause } from '../../core/backoff.js';
import { anySignal } from '../../core/signals.js';

/** How far ahead of playback speech is sent: enough for a slow line, little enough for a prompt interruption. */
const AHEAD_MS = 2_000;

/** The speech of one frame. */
export interface SpeechFrame {
  readonly pcm: Uint8Array;
  readonly isLast: boolean;
}

/**
 * Cuts PCM into frames of 40 ms, the last one of 20 to 60 ms, and yields them at most two seconds ahead of playback.
 * Playback is assumed to begin with the first frame and to wait only if no frame is there. When aborted it ends at
 * once, without a last frame, even if `pieces` hangs: the same signal should end the source of `pieces`.
 * @param pieces of any length
 * @throws what `pieces` throws, after the frames before it; up to 60 ms of speech may be lost
 */
export async function* paced(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<SpeechFrame, void, undefined> {
  let heardFrom = performance.now();
  let sentMs = 0;
  for await (const frame of frames(untilAborted(pieces, signal))) {
    // If playback had to wait, all later frames are heard that much later.
    heardFrom = Math.max(heardFrom, performance.now() - sentMs);
    const early = heardFrom + sentMs - AHEAD_MS - performance.now();
    if (early > 0) await pause(early, signal);
    if (signal.aborted) return;
    sentMs += frame.pcm.byteLength / BYTES_PER_MS;
    yield frame;
  }
}

async function* frames(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<SpeechFrame, void, undefined> {
  const cutter = new Cutter();
  // The turn's number and the times are not used here.
  for await (const piece of pieces)
    for (const { pcm } of cutter.add(1, piece, 0)) yield { pcm, isLast: false };
  for (const { pcm } of cutter.finish()) yield { pcm, isLast: true };
}

async function* untilAborted<T>(
  pieces: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  if (signal.aborted) return;
  const left = new AbortController();
  const aborted = once(signal, 'abort', { signal: left.signal }).then(
    () => null,
    () => null,
  );
  const source = pieces[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await Promise.race([source.next(), aborted]);
      isOver = next?.done === true;
      if (next === null || next.done) return;
      yield next.value;
    }
  } finally {
    left.abort();
    // Not awaited: the source may hang.
    if (!isOver) source.return?.().then(undefined, () => undefined);
  }
}

/**
 * Reads a source ahead of the reader, so that a slow listener does not block a synthesiser. Everything is buffered, so
 * the source must bound its length.
 * @param source called with a signal that aborts with the given one, and when the reader ends
 * @throws what the source throws, after the pieces before it
 */
export async function* readAhead<T>(
  source: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const own = anySignal(signal);
  // Without this listener, a failure after the reader has ended would throw.
  const read = new EventEmitter().on('error', () => undefined);
  const pieces = on(read, 'piece', { close: ['end'] }) as AsyncIterable<[T]>;
  const pump = async (): Promise<void> => {
    try {
      for await (const piece of source(own.signal)) read.emit('piece', piece);
      read.emit('end');
    } catch (error) {
      read.emit('error', error);
    }
  };
  const pumped = pump();
  try {
    for await (const [piece] of pieces) yield piece;
  } finally {
    own.end();
    await pumped;
  }
}
