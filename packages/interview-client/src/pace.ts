/** Far enough below the 100 text frames a second that the service takes, also where two windows meet. */
const TEXTS_PER_WINDOW = 40;
const WINDOW_MS = 1_000;

/** Keeps text frames below the service's limit: what has waited for a reconnection would else be sent at once. */
export class Pace {
  private began = -Infinity;
  private sent = 0;

  /** @returns 0 where one may be sent at `now`, which counts it, else how long to wait, in milliseconds */
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
