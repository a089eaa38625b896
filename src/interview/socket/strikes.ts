const MOST_TEXTS = 100;
const SECOND_MS = 1_000;
const MOST_FAULTS = 10;
const MINUTE_MS = 60_000;

/** Text frames by the second: more than 100 are too many. Times are of one monotonic clock, in milliseconds. */
export class TextRate {
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;

  /** Counts one. @returns whether it is one too many */
  exceeded(now: number): boolean {
    if (now - this.since >= SECOND_MS) {
      this.since = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count > MOST_TEXTS;
  }

  /** What a client sent while nothing was read of it arrives in one go: that is no haste of its own. */
  heldBack(now: number, forMs: number): void {
    this.since = now;
    this.count = -Math.ceil((forMs * MOST_TEXTS) / SECOND_MS);
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
