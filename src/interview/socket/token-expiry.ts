/** Node's timers fire at once where they are asked for more. */
const LONGEST_MS = 2 ** 31 - 1;

/** Tells when a token expires, and once more some time later. */
export class TokenExpiry {
  private timer: NodeJS.Timeout | null = null;

  /**
   * @param expiresAt in milliseconds since the epoch, by the clock that tokens are verified by
   * @param expired called once it has expired, at once where it has already
   * @param over called `farewellMs` after that
   */
  constructor(
    private readonly expiresAt: number,
    private readonly farewellMs: number,
    private readonly expired: () => void,
    private readonly over: () => void,
  ) {
    this.wait();
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private wait(): void {
    const left = Math.max(0, this.expiresAt - Date.now());
    this.timer =
      left > LONGEST_MS
        ? setTimeout(() => this.wait(), LONGEST_MS)
        : setTimeout(() => this.sayFarewell(), left);
  }

  private sayFarewell(): void {
    this.timer = setTimeout(this.over, this.farewellMs);
    this.expired();
  }
}
