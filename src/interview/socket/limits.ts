import { MINUTE_MS } from '../../core/timestamp.js';
import { IDLE_MS } from '../session/port.js';

/** A connection's time limits, in milliseconds. */
export interface Timings {
  /** Longest time from the opening to `client.ready`. */
  readonly readyMs: number;
  readonly pingMs: number;
  /** Longest time without a frame or a pong. */
  readonly idleMs: number;
  /** From a token's expiry to the closing. */
  readonly farewellMs: number;
  /** From our closing to the client's. */
  readonly closeMs: number;
  /** Longest time in which the client reads nothing of what was sent. */
  readonly stalledMs: number;
  /** From a pause of reading to the `flow` message that reports it. */
  readonly flowMs: number;
}

/** The timings; tests shorten them. */
export const TIMINGS: Timings = {
  readyMs: 10_000,
  pingMs: 15_000,
  idleMs: IDLE_MS,
  farewellMs: 60_000,
  closeMs: 2_000,
  stalledMs: 20_000,
  flowMs: 250,
};

/** Pings a client regularly until `stop`, and reports if nothing comes from it for too long. */
export class Heartbeat {
  private last = performance.now();
  private readonly pings: NodeJS.Timeout;
  private timer: NodeJS.Timeout;

  /**
   * @param isHeld whether reading is paused, so that nothing can come
   * @param dead called once, if nothing has come for `idleMs`
   */
  constructor(
    ping: () => void,
    private readonly isHeld: () => boolean,
    private readonly dead: () => void,
    private readonly timings: Pick<Timings, 'pingMs' | 'idleMs'>,
  ) {
    this.pings = setInterval(ping, timings.pingMs);
    this.timer = setTimeout(() => this.check(), timings.idleMs);
  }

  /** Call it for each frame from the client. */
  received(now: number): void {
    this.last = now;
  }

  stop(): void {
    clearInterval(this.pings);
    clearTimeout(this.timer);
  }

  /** One timer serves all frames, which only set `last`: it starts again for the time that is left. */
  private check(): void {
    const now = performance.now();
    if (this.isHeld()) this.last = now;
    const left = this.last + this.timings.idleMs - now;
    if (left <= 0) this.dead();
    else this.timer = setTimeout(() => this.check(), Math.ceil(left));
  }
}

/** How many frames may come in a time. */
export interface FrameLimit {
  readonly max: number;
  readonly inMs: number;
}

/** Text frames of one connection. */
export const TEXT_FRAMES: FrameLimit = { max: 100, inMs: 1_000 };
/**
 * Frames of every kind, of all of a caller's connections. After a reconnection the audio of two and a half minutes can
 * come at once, which is fewer frames. This many are processed without a noticeable delay for other connections.
 */
export const ALL_FRAMES: FrameLimit = { max: 10_000, inMs: 10_000 };

const MAX_BAD_MESSAGES = 10;

/** Counts frames. Times are of one monotonic clock, in milliseconds. */
export class FrameRate {
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  /** How many of the next frames are not counted: they were sent while reading was paused. */
  private uncounted = 0;

  constructor(private readonly limit: FrameLimit) {}

  /** Counts a frame. @returns whether the limit is exceeded */
  exceeded(now: number): boolean {
    if (this.uncounted > 0) {
      this.uncounted -= 1;
      return false;
    }
    if (now - this.since >= this.limit.inMs) {
      this.since = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count > this.limit.max;
  }

  /** Call it after a pause of reading. Frames sent during the pause come at once: as many are not counted. */
  allowAfterPause(forMs: number): void {
    this.uncounted += (forMs * this.limit.max) / this.limit.inMs;
  }
}

/** Limits bad messages: the tenth within a minute exceeds the limit. */
export class BadMessageLimit {
  private readonly times: number[] = [];

  /** Counts a bad message. @returns whether the limit is exceeded */
  exceeded(now: number): boolean {
    this.times.push(now);
    while (this.times[0] !== undefined && now - this.times[0] >= MINUTE_MS) this.times.shift();
    return this.times.length >= MAX_BAD_MESSAGES;
  }
}
