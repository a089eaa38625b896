import type { AudioChunk } from '../../core/vault/audio.js';
import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';

/** The longest stretch: two seconds of audio. */
export const MOST_STRETCH_BYTES = 64 * 1024;
/** As much as comes together while a candidate speaks, and more only when a client catches up. */
const USUAL_BYTES = 16 * 1024;
/** One is filled while another is stored. */
const MOST_SPARE = 2;
const EMPTY = Buffer.alloc(0);

/**
 * Frames that become durable together: those of one turn that are kept, up to its end; or any that are not. Their audio is copied out of what
 * it came in, so that nothing of a single frame outlives its arrival: hundreds of thousands would be the collector's.
 */
export class AudioStretch {
  private readonly turn: number;
  private readonly firstSeq: number;
  private readonly timestampMs: number;
  private lastSeq: number;
  private endOfTurn = false;
  private answerGapMs: number | null = null;
  private pcm: Buffer = EMPTY;
  private bytes = 0;

  /**
   * @param kept false: its frames are acknowledged, and their audio let go
   * @param spare of stretches that are stored, to be filled again: those of one session, so that nobody's audio ever
   * lies in what another's is sealed from
   */
  constructor(
    first: AudioFrame,
    private readonly kept: boolean,
    private readonly spare: Buffer[],
  ) {
    this.turn = first.turn;
    this.firstSeq = first.seq;
    this.lastSeq = first.seq;
    this.timestampMs = first.timestampMs;
  }

  /** Of all its frames' audio, kept or not. */
  get byteLength(): number {
    return this.bytes;
  }

  /** Whether the next frame belongs to it. */
  takes(frame: AudioFrame, kept: boolean): boolean {
    if (kept !== this.kept) return false;
    if (kept && (this.endOfTurn || frame.turn !== this.turn)) return false;
    return this.bytes + frame.pcm.byteLength <= MOST_STRETCH_BYTES;
  }

  /** @param answerGapMs where the turn's answer begins in this frame */
  add({ seq, endOfTurn, pcm }: AudioFrame, answerGapMs: number | null): void {
    this.lastSeq = seq;
    this.endOfTurn = this.kept && endOfTurn;
    this.answerGapMs ??= answerGapMs;
    if (this.kept) this.copy(pcm);
    this.bytes += pcm.byteLength;
  }

  /** What is to be stored: to be asked for once nothing is added any more. */
  chunk(): AudioChunk {
    const { turn, firstSeq, lastSeq, timestampMs, endOfTurn, answerGapMs, kept, bytes } = this;
    const pcm = this.pcm.subarray(0, kept ? bytes : 0);
    return { turn, firstSeq, lastSeq, timestampMs, endOfTurn, answerGapMs, pcm };
  }

  /** It is stored, and nobody looks at its chunk any more. */
  release(): void {
    if (this.pcm !== EMPTY && this.spare.length < MOST_SPARE) this.spare.push(this.pcm);
    this.pcm = EMPTY;
  }

  private copy(pcm: Uint8Array): void {
    if (this.bytes + pcm.byteLength > this.pcm.byteLength) {
      const larger = this.larger();
      larger.set(this.pcm);
      this.pcm = larger;
    }
    this.pcm.set(pcm, this.bytes);
  }

  private larger(): Buffer {
    if (this.pcm !== EMPTY) return Buffer.allocUnsafeSlow(MOST_STRETCH_BYTES);
    return this.spare.pop() ?? Buffer.allocUnsafeSlow(USUAL_BYTES);
  }
}
