import type { AudioOf, AudioStore } from '../../core/vault/audio.js';
import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { AudioStretch, MOST_STRETCH_BYTES } from './audio-stretch.js';
import { persistently } from './patience.js';

/** Audio is made durable at least this often, in milliseconds. */
const FLUSH_MS = 400;
/** Or when so much has come together: a client that catches up. */
const FLUSH_BYTES = MOST_STRETCH_BYTES;
/** So much may wait to become durable before the client is held back. */
const MOST_PENDING_BYTES = 512 * 1024;

export interface AudioIntakeOptions {
  readonly audio: AudioStore;
  readonly of: AudioOf;
  /** Up to where the candidate's audio is durable. */
  readonly from: number;
  readonly signal: AbortSignal;
  readonly onDurable: (lastSeq: number) => void;
  /** Somebody else has appended: this connection no longer holds the session's line. */
  readonly onTaken: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Takes a connection's audio frames in their order and makes them durable, a stretch at a time. */
export class AudioIntake {
  /** The last frame that was taken, durable or not yet. */
  accepted: number;
  durable: number;
  /** What is not on its way to the store yet. */
  private pending: AudioStretch[] = [];
  /** Of that, and of what is on its way. */
  private pendingBytes = 0;
  private readonly spare: Buffer[] = [];
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private ended = false;

  constructor(private readonly options: AudioIntakeOptions) {
    this.accepted = options.from;
    this.durable = options.from;
  }

  /** More waits to become durable than may. */
  get isFull(): boolean {
    return this.pendingBytes > MOST_PENDING_BYTES;
  }

  /** `known`: it was taken before; `gap`: frames before it are missing. */
  place(seq: number): 'next' | 'known' | 'gap' {
    return seq === this.accepted + 1 ? 'next' : seq <= this.accepted ? 'known' : 'gap';
  }

  /**
   * Takes the next frame.
   * @param kept false: acknowledged, and its audio let go
   * @param answerGapMs where the turn's answer begins in this frame
   */
  take(frame: AudioFrame, kept: boolean, answerGapMs: number | null): void {
    this.accepted = frame.seq;
    this.openFor(frame, kept).add(frame, answerGapMs);
    this.pendingBytes += frame.pcm.byteLength;
    if (this.pendingBytes >= FLUSH_BYTES || (kept && frame.endOfTurn)) void this.write();
    else this.timer ??= setTimeout(() => void this.write(), FLUSH_MS);
  }

  /** Resolves once everything that was taken is durable, or the intake has ended. */
  async flush(): Promise<void> {
    const wanted = this.accepted;
    while (this.durable < wanted && !this.ended) await this.write();
  }

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
    this.writing ??= this.writeAll().finally(() => {
      this.writing = null;
    });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    const { audio, of, signal } = this.options;
    try {
      for (let next = this.pending.shift(); next && !this.ended; next = this.pending.shift()) {
        const chunk = next.chunk();
        const stored = await persistently(() => audio.append(of, this.durable, chunk), signal);
        if (this.ended as boolean) return;
        // After an unknown outcome the same stretch may lie there already.
        if (!stored && (await persistently(() => audio.state(of), signal)).lastSeq !== chunk.lastSeq) {
          this.end();
          this.options.onTaken();
          return;
        }
        this.pendingBytes -= next.byteLength;
        next.release();
        this.durable = chunk.lastSeq;
        this.options.onDurable(this.durable);
      }
    } catch (error) {
      if (this.ended) return;
      this.end();
      this.options.onFault(error);
    }
  }
}
