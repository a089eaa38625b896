import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import type { AudioChunk } from '../../vault/port.js';
import type { ConnectedSession } from './connected-session.js';

/** Longest stretch: two seconds of audio. */
export const MAX_STRETCH_BYTES = 64 * 1024;
/** Audio is made durable at least this often, in milliseconds. */
const FLUSH_MS = 400;
/** Audio is also made durable once this many bytes wait: a client that catches up sends them at once. */
const FLUSH_BYTES = MAX_STRETCH_BYTES;
/** Reading of the client pauses while more than this waits. */
const MAX_PENDING_BYTES = 512 * 1024;

/**
 * Takes a connection's audio frames in order, makes them durable, a stretch at a time, and acknowledges them. Call
 * `isNext` for each frame, then `take`. Only one connection may store a session's audio: if another has, this one is
 * closed. Pauses reading of the client while too much waits.
 */
export class AudioIntake {
  /** The last frame that was taken, durable or not yet. */
  private accepted: number;
  /** Stretches that are not being stored yet. */
  private pending: AudioStretch[] = [];
  /** Bytes of `pending` and of the stretch that is being stored. */
  private pendingBytes = 0;
  private readonly spare: Buffer[] = [];
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private gapReported = false;
  /** Ends the pause of this intake; `null`: it has paused nothing. */
  private endPause: (() => void) | null = null;
  private ended = false;

  /** @param durable `seq` of the last durable frame */
  constructor(
    private readonly session: ConnectedSession,
    public durable: number,
  ) {
    this.accepted = durable;
  }

  /** Whether the frame is the next one. An earlier one is ignored; a later one is reported as a gap. */
  isNext(seq: number): boolean {
    const next = this.accepted + 1;
    if (seq > next) this.reportGap(seq);
    else if (seq === next) this.gapReported = false;
    return seq === next;
  }

  /**
   * Takes the next frame.
   * @param kept false: acknowledges the frame and drops its audio
   * @param answerGapMs the gap before the answer, if it is measured with this frame; else `null`
   */
  take(frame: AudioFrame, kept: boolean, answerGapMs: number | null): void {
    this.accepted = frame.seq;
    this.openFor(frame, kept).add(frame, answerGapMs);
    this.pendingBytes += frame.pcm.byteLength;
    if (this.pendingBytes >= FLUSH_BYTES || (kept && frame.endOfTurn)) void this.write();
    else this.timer ??= setTimeout(() => void this.write(), FLUSH_MS);
    if (this.pendingBytes > MAX_PENDING_BYTES) this.endPause ??= this.session.channel.pause();
  }

  /** Resolves once all frames taken so far are durable, or the intake has ended. */
  async flush(): Promise<void> {
    const wanted = this.accepted;
    while (this.durable < wanted && !this.ended) await this.write();
  }

  /** Drops audio that is not durable yet. */
  end(): void {
    this.ended = true;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.pending = [];
    this.pendingBytes = 0;
  }

  /** The stretch that the frame belongs to. */
  private openFor(frame: AudioFrame, kept: boolean): AudioStretch {
    const last = this.pending.at(-1);
    if (last?.takes(frame, kept)) return last;
    const stretch = new AudioStretch(frame, kept, this.spare);
    this.pending.push(stretch);
    return stretch;
  }

  private write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.writing ??= this.writeAll()
      .catch((error: unknown) => {
        if (this.ended) return;
        this.end();
        this.session.fail(error);
      })
      .finally(() => {
        this.writing = null;
      });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    const { session } = this;
    const { audio } = session.services;
    for (let next = this.pending.shift(); next && !this.ended; next = this.pending.shift()) {
      const chunk = next.chunk();
      const append = () => audio.append(session.audioOf, this.durable, chunk);
      const stored = await session.retryUnavailable(append);
      if (this.ended as boolean) return;
      // An earlier attempt whose outcome is unknown may have stored this stretch.
      if (!stored && (await this.storedSeq()) !== chunk.lastSeq) {
        this.end();
        this.overtaken().catch(session.fail);
        return;
      }
      this.pendingBytes -= next.byteLength;
      next.release();
      this.becameDurable(chunk.lastSeq);
    }
  }

  private async storedSeq(): Promise<number> {
    const { session } = this;
    return (await session.retryUnavailable(() => session.services.audio.state(session.audioOf))).lastSeq;
  }

  private becameDurable(lastAudioSeq: number): void {
    const { channel } = this.session;
    this.durable = lastAudioSeq;
    channel.send({ type: 'audio.ack', lastAudioSeq });
    if (this.pendingBytes > MAX_PENDING_BYTES) return;
    this.endPause?.();
    this.endPause = null;
  }

  /** Closes this connection: a newer or a former one has stored audio meanwhile. */
  private async overtaken(): Promise<void> {
    await this.session.refresh();
    // When the client reconnects, `session.ready` has the `seq` from which its audio continues.
    if (!this.session.isOver) throw new Error('A former connection stored audio in between.');
  }

  /** Reports a gap once: the frames that the client has already sent are behind the same gap. */
  private reportGap(seq: number): void {
    if (this.gapReported) return;
    this.gapReported = true;
    const { channel } = this.session;
    channel.report('audio_gap', `Audio is missing before seq ${seq}: continue with the seq after audio.ack.`);
    channel.send({ type: 'audio.ack', lastAudioSeq: this.durable });
  }
}

/** Enough for a stretch at the pace of speech; only a client that catches up needs more. */
const USUAL_BYTES = 16 * 1024;
/** Two: one is filled while the other is stored. */
const MAX_SPARE = 2;
const EMPTY = Buffer.alloc(0);

/**
 * Frames that become durable together: kept frames of one turn, up to its end, or frames of any turns that are not
 * kept. Audio is copied, so that no frame's buffer is held: hundreds of thousands would burden the garbage collector.
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
   * @param kept false: its frames are acknowledged and their audio is dropped
   * @param spare buffers of stored stretches, for reuse within one session only, so that a candidate's audio never
   * shares a buffer with another's
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

  /** Bytes of all its frames' audio, kept or not. */
  get byteLength(): number {
    return this.bytes;
  }

  /** Whether the next frame belongs to it. */
  takes(frame: AudioFrame, kept: boolean): boolean {
    if (kept !== this.kept) return false;
    if (kept && (this.endOfTurn || frame.turn !== this.turn)) return false;
    return this.bytes + frame.pcm.byteLength <= MAX_STRETCH_BYTES;
  }

  /** @param answerGapMs the gap before the answer, if it is measured with this frame; else `null` */
  add({ seq, endOfTurn, pcm }: AudioFrame, answerGapMs: number | null): void {
    this.lastSeq = seq;
    this.endOfTurn = this.kept && endOfTurn;
    this.answerGapMs ??= answerGapMs;
    if (this.kept) this.copy(pcm);
    this.bytes += pcm.byteLength;
  }

  /** The chunk to store. Add no frame after this call. */
  chunk(): AudioChunk {
    const { turn, firstSeq, lastSeq, timestampMs, endOfTurn, answerGapMs, kept, bytes } = this;
    const pcm = this.pcm.subarray(0, kept ? bytes : 0);
    return { turn, firstSeq, lastSeq, timestampMs, endOfTurn, answerGapMs, pcm };
  }

  /** Frees its buffer for reuse: do not use its chunk after this call. */
  release(): void {
    if (this.pcm !== EMPTY && this.spare.length < MAX_SPARE) this.spare.push(this.pcm);
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
    if (this.pcm !== EMPTY) return Buffer.allocUnsafeSlow(MAX_STRETCH_BYTES);
    return this.spare.pop() ?? Buffer.allocUnsafeSlow(USUAL_BYTES);
  }
}
