import type { ServiceConnection } from './connection.js';
import { encodeAudioFrame } from './protocol/audio-frame.js';
import type { ClientMessageOf } from './protocol/messages.js';
import type { Clock } from './runtime.js';
import type { SendQueue } from './send-queue.js';

/** Poll interval of a congested socket. */
const CONGESTION_POLL_MS = 20;
/** The service refuses each frame behind a gap. Within this time, only the first such refusal makes us go back. */
const SAME_GAP_MS = 2_000;

/** Sends the queue in its order, as fast as the connection and the service accept it. */
export class Sender {
  private pace = new Pace();
  private progress: ClientMessageOf<'playback.progress'> | null = null;
  private repetition: ClientMessageOf<'question.repeat'> | null = null;
  private paused = false;
  private holding = false;
  private callOff: (() => void) | null = null;
  private wentBack = { to: -1, at: -Infinity };

  constructor(
    private readonly queue: SendQueue,
    private readonly clock: Clock,
    private readonly connection: () => ServiceConnection | null,
  ) {}

  /** Sends what can be sent now. */
  pump(): void {
    if (this.callOff !== null || this.paused || this.holding) return;
    for (let connection = this.connection(); connection !== null; connection = this.connection()) {
      // A repetition comes last: an interruption before it would stop it.
      const entry = this.progress ?? this.queue.peek() ?? this.repetition;
      if (entry === null) return;
      if (connection.congested) {
        this.wait(CONGESTION_POLL_MS);
        return;
      }
      if ('kind' in entry && entry.kind === 'audio') {
        connection.send(encodeAudioFrame(entry.frame));
        this.queue.sent(entry);
        continue;
      }
      const wait = this.pace.take(this.clock.now());
      if (wait > 0) {
        this.wait(wait);
        return;
      }
      if ('kind' in entry) {
        connection.send(entry.text);
        this.queue.sent(entry);
      } else {
        connection.send(JSON.stringify(entry));
        if (entry.type === 'question.repeat') this.repetition = null;
        else this.progress = null;
      }
    }
  }

  /** Sends a message of which only the latest of its type is kept while it cannot be sent. */
  sendLatest(message: ClientMessageOf<'playback.progress' | 'question.repeat'>): void {
    if (message.type === 'question.repeat') this.repetition = message;
    else this.progress = message;
    this.pump();
  }

  /** The service pauses or resumes the client. */
  flow(state: 'pause' | 'resume'): void {
    this.paused = state === 'pause';
    this.pump();
  }

  /** After a message could not be recorded: sends it and all after it again, in order. */
  retry(afterMs: number): void {
    if (this.holding) return;
    this.holding = true;
    this.clock.after(afterMs, () => {
      this.holding = false;
      this.queue.startOver();
      this.pump();
    });
  }

  /** After a message came too early: sends it alone again, without delaying others. */
  postpone(id: string, forMs: number): void {
    this.clock.after(forMs, () => {
      this.queue.sendAgain(id);
      this.pump();
    });
  }

  /** Audio up to here is durable; a message can have waited for that. */
  acknowledgeAudio(lastAudioSeq: number): void {
    this.queue.acknowledgeAudio(lastAudioSeq);
    this.pump();
  }

  /** See `SendQueue.goBackTo`. */
  goBackTo(lastAudioSeq: number): number {
    const now = this.clock.now();
    if (this.wentBack.to === lastAudioSeq && now - this.wentBack.at < SAME_GAP_MS) return 0;
    this.wentBack = { to: lastAudioSeq, at: now };
    const missing = this.queue.goBackTo(lastAudioSeq);
    this.pump();
    return missing;
  }

  /** A new connection. See `SendQueue.resume`. */
  resume(lastAudioSeq: number): number {
    this.stop();
    this.paused = false;
    this.pace = new Pace();
    this.wentBack = { to: -1, at: -Infinity };
    const missing = this.queue.resume(lastAudioSeq);
    this.pump();
    return missing;
  }

  /** Stops the timer. */
  stop(): void {
    this.callOff?.();
    this.callOff = null;
  }

  private wait(ms: number): void {
    this.callOff = this.clock.after(ms, () => {
      this.callOff = null;
      this.pump();
    });
  }
}

/** Less than half of the 100 text frames a second that the service takes: one of its seconds can overlap two windows. */
const TEXTS_PER_WINDOW = 40;
const WINDOW_MS = 1_000;

/** Keeps text frames below the service's limit, since all that waited for a connection could be sent in one burst. */
class Pace {
  private began = -Infinity;
  private sent = 0;

  /** Counts a frame if one may be sent at `now`. @returns how long to wait, in milliseconds; 0: it is counted */
  take(now: number): number {
    if (now - this.began >= WINDOW_MS) {
      this.began = now;
      this.sent = 0;
    }
    if (this.sent >= TEXTS_PER_WINDOW) return this.began + WINDOW_MS - now;
    this.sent += 1;
    return 0;
  }
}
