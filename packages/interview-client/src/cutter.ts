import { BYTES_PER_MS } from './protocol/audio-frame.js';

const FRAME_BYTES = 40 * BYTES_PER_MS;
const MIN_BYTES = 20 * BYTES_PER_MS;

/** A frame's worth of PCM. */
export interface Cut {
  readonly turn: number;
  readonly pcm: Uint8Array;
  /** Its first sample, on the clock that `add` was given. */
  readonly at: number;
}

/**
 * Cuts PCM of any length into frames. A frame has at least 20 ms, so that much is always held back: the rest of a turn
 * is then a valid frame without padding.
 */
export class Cutter {
  private held: Uint8Array = new Uint8Array(0);
  private turn = 0;
  private endsAt = 0;

  /** Bytes of the last turn that are held back. */
  get heldBytes(): number {
    return this.held.byteLength;
  }

  /** @param now the end of this PCM on a monotonic clock, in milliseconds */
  add(turn: number, pcm: Uint8Array, now: number): readonly Cut[] {
    const cuts = turn === this.turn ? [] : [...this.finish()];
    this.turn = turn;
    this.endsAt = now;
    this.held = joined(this.held, pcm);
    while (this.held.byteLength >= FRAME_BYTES + MIN_BYTES) cuts.push(this.cut(FRAME_BYTES));
    return cuts;
  }

  /** The rest of the turn. Only a turn under 20 ms is padded with silence; half a sample at the end is left out. */
  finish(): readonly Cut[] {
    const whole = this.held.byteLength - (this.held.byteLength % 2);
    const rest = whole === 0 ? [] : [this.cut(whole)];
    this.held = new Uint8Array(0);
    return rest.map((cut) =>
      cut.pcm.byteLength >= MIN_BYTES
        ? cut
        : { ...cut, pcm: joined(cut.pcm, new Uint8Array(MIN_BYTES - whole)) },
    );
  }

  private cut(bytes: number): Cut {
    const at = this.endsAt - this.held.byteLength / BYTES_PER_MS;
    // A copy: a frame can wait for long, and a view would keep the whole buffer alive.
    const pcm = this.held.slice(0, bytes);
    this.held = this.held.subarray(bytes);
    return { turn: this.turn, pcm, at };
  }
}

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const both = new Uint8Array(one.byteLength + other.byteLength);
  both.set(one);
  both.set(other, one.byteLength);
  return both;
};
