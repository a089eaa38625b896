import { MINUTE_MS } from '../../core/timestamp.js';
import { IDLE_MS } from '../session/port.js';

/** A connection's time limits, in milliseconds. */
export interface Timings {
  /** From the opening to `client.ready`. */
  readonly readyMs: number;
  readonly pingMs: number;
  /** Without a frame or a pong. */
  readonly idleMs: number;
  /** From a token's expiry to the closing. */
  readonly farewellMs: number;
  /** From our closing to the client's. */
  readonly closeMs: number;
  /** Without the client reading what was sent. */
  readonly stalledMs: number;
  /** From a pause in reading to `flow` `pause`. */
  readonly flowMs: number;
}

/** The timings unless a test shortens them. */
export const TIMINGS: Timings = {
  readyMs: 10_000,
  pingMs: 15_000,
  idleMs: IDLE_MS,
  farewellMs: 60_000,
  closeMs: 2_000,
  stalledMs: 20_000,
  flowMs: 250,
};

/** Pings a client regularly, from its making until `stop`, and reports one that is silent for too long. */
export class Heartbeat {
  private last = performance.now();
  private readonly pings: NodeJS.Timeout;
  private timer: NodeJS.Timeout;

  /**
   * @param isHeld whether reading is paused, so that the client's silence is ours
   * @param dead called once
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

  /** A frame has come from the client. */
  received(now: number): void {
    this.last = now;
  }

  stop(): void {
    clearInterval(this.pings);
    clearTimeout(this.timer);
  }

  /** Frames only set `last`; this one timer follows it. */
  private check(): void {
    const now = performance.now();
    if (this.isHeld()) this.last = now;
    const left = this.last + this.timings.idleMs - now;
    if (left <= 0) this.dead();
    else this.timer = setTimeout(() => this.check(), Math.ceil(left));
  }
}

/** Most frames in a time. */
export interface FrameLimit {
  readonly max: number;
  readonly inMs: number;
}

/** Text frames of one connection. */
export const TEXT_FRAMES: FrameLimit = { max: 100, inMs: 1_000 };
/**
 * Frames of every kind. Audio can come in bursts: after a drop, two and a half minutes at once, which are fewer frames.
 * That many are processed before other connections notice.
 */
export const ALL_FRAMES: FrameLimit = { max: 10_000, inMs: 10_000 };

const MAX_BAD_MESSAGES = 10;

/** Counts frames. Times are of one monotonic clock, in milliseconds. */
export class FrameRate {
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  /** Frames allowed beyond the limit, because they were not read when they were sent. */
  private uncounted = 0;

  constructor(private readonly limit: FrameLimit) {}

  /** Counts one. @returns whether it is one too many */
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

  /** After a pause in reading, in milliseconds: the frames sent in it arrive at once and are not counted. */
  allowAfterPause(forMs: number): void {
    this.uncounted += (forMs * this.limit.max) / this.limit.inMs;
  }
}

/** Bad messages by the minute: the tenth is one too many. */
export class BadMessageLimit {
  private readonly times: number[] = [];

  /** Counts one. @returns whether it is one too many */
  exceeded(now: number): boolean {
    this.times.push(now);
    while (this.times[0] !== undefined && now - this.times[0] >= MINUTE_MS) this.times.shift();
    return this.times.length >= MAX_BAD_MESSAGES;
  }
}
