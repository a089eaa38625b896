/** How many frames a connection may bring in which time. */
export interface FrameLimit {
  readonly most: number;
  readonly inMs: number;
}

export const TEXT_FRAMES: FrameLimit = { most: 100, inMs: 1_000 };
/**
 * Frames of every kind. Audio may come in bursts: after a drop, of two and a half minutes at once, which are fewer. So
 * many at once are worked off in less time than anybody else would notice.
 */
export const ALL_FRAMES: FrameLimit = { most: 10_000, inMs: 10_000 };

const MOST_FAULTS = 10;
const MINUTE_MS = 60_000;

/** Counts frames. Times are of one monotonic clock, in milliseconds. */
export class FrameRate {
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  /** What may come beyond the limit, since it could not be read as it was sent. */
  private owed = 0;

  constructor(private readonly limit: FrameLimit) {}

  /** Counts one. @returns whether it is one too many */
  exceeded(now: number): boolean {
    if (this.owed > 0) {
      this.owed -= 1;
      return false;
    }
    if (now - this.since >= this.limit.inMs) {
      this.since = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count > this.limit.most;
  }

  /** What a client sent while nothing was read of it arrives in one go: that is no haste of its own. */
  heldBack(forMs: number): void {
    this.owed += (forMs * this.limit.most) / this.limit.inMs;
  }
}

/** Bad messages by the minute: the tenth is one too many. */
export class Faults {
  private readonly times: number[] = [];

  /** Counts one. @returns whether it is one too many */
  exceeded(now: number): boolean {
    this.times.push(now);
    while (this.times[0] !== undefined && now - this.times[0] >= MINUTE_MS) this.times.shift();
    return this.times.length >= MOST_FAULTS;
  }
}
