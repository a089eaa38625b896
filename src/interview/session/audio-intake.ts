import type { AudioChunk, AudioOf, AudioStore } from '../../vault/audio.js';
import { type AudioFrame, BYTES_PER_MS } from '../protocol/audio-frame.js';
import { persistently } from './patience.js';

/** Audio is made durable at least this often, in milliseconds. */
const FLUSH_MS = 400;
/** Or when so much has come together. */
const FLUSH_BYTES = 32 * 1024;
/** So much may wait to become durable before the client is held back. */
const MOST_PENDING_BYTES = 512 * 1024;
/** Longest stretch of frames in one piece. */
const MOST_CHUNK_BYTES = 256 * 1024;

interface Pending {
  readonly frame: AudioFrame;
  readonly kept: boolean;
  readonly answerGapMs: number | null;
}

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
  private pending: Pending[] = [];
  private pendingBytes = 0;
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
    this.pending.push({ frame, kept, answerGapMs });
    this.pendingBytes += frame.pcm.byteLength;
    if (this.pendingBytes >= FLUSH_BYTES || frame.endOfTurn) void this.write();
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
      while (this.pending.length > 0 && !this.ended) {
        const stretch = nextStretch(this.pending);
        const chunk = chunkOf(stretch);
        const stored = await persistently(() => audio.append(of, this.durable, chunk), signal);
        if (this.ended as boolean) return;
        // After an unknown outcome the same stretch may lie there already.
        if (!stored && (await persistently(() => audio.state(of), signal)).lastSeq !== chunk.lastSeq) {
          this.end();
          this.options.onTaken();
          return;
        }
        this.pending.splice(0, stretch.length);
        for (const { frame } of stretch) this.pendingBytes -= frame.pcm.byteLength;
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

/** The first frames that belong together: of one turn, kept or not, and up to its end. */
const nextStretch = (pending: readonly Pending[]): readonly Pending[] => {
  const first = pending[0];
  const stretch: Pending[] = [];
  let bytes = 0;
  for (const one of pending) {
    bytes += one.frame.pcm.byteLength;
    const other = one.frame.turn !== first?.frame.turn || one.kept !== first.kept;
    if (stretch.length > 0 && (other || bytes > MOST_CHUNK_BYTES)) break;
    stretch.push(one);
    if (one.frame.endOfTurn) break;
  }
  return stretch;
};

const chunkOf = (stretch: readonly Pending[]): AudioChunk => {
  const first = stretch[0];
  const last = stretch.at(-1);
  if (!first || !last) throw new RangeError('A chunk needs frames.');
  return {
    turn: first.frame.turn,
    firstSeq: first.frame.seq,
    lastSeq: last.frame.seq,
    timestampMs: first.frame.timestampMs,
    endOfTurn: last.frame.endOfTurn,
    answerGapMs: stretch.find(({ answerGapMs }) => answerGapMs !== null)?.answerGapMs ?? null,
    pcm: first.kept ? Buffer.concat(stretch.map(({ frame }) => frame.pcm)) : new Uint8Array(0),
  };
};

/** Milliseconds of audio in so many bytes of PCM. */
export const millisecondsOfPcm = (bytes: number): number => Math.round(bytes / BYTES_PER_MS);
