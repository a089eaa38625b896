/** How long a connection waits for what, in milliseconds. */
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
  /** Without anything read of what was sent. */
  readonly stalledMs: number;
  /** Held back for longer, a client is told. */
  readonly flowMs: number;
}

export const TIMINGS: Timings = {
  readyMs: 10_000,
  pingMs: 15_000,
  idleMs: 45_000,
  farewellMs: 60_000,
  closeMs: 2_000,
  stalledMs: 20_000,
  flowMs: 250,
};

/** Asks a client regularly whether it is there, and tells where nothing has come from it for too long. */
export class Heartbeat {
  private last = performance.now();
  private readonly pings: NodeJS.Timeout;
  private check: NodeJS.Timeout;

  /**
   * @param isHeld whether nothing is read of the client just now: its silence is ours then
   * @param dead called once
   */
  constructor(
    ping: () => void,
    private readonly isHeld: () => boolean,
    private readonly dead: () => void,
    private readonly timings: Pick<Timings, 'pingMs' | 'idleMs'>,
  ) {
    this.pings = setInterval(ping, timings.pingMs);
    this.check = setTimeout(() => this.look(), timings.idleMs);
  }

  /** Anything has come from the client. */
  heard(now: number): void {
    this.last = now;
  }

  stop(): void {
    clearInterval(this.pings);
    clearTimeout(this.check);
  }

  /** Frames only leave their time behind; this one timer goes after the latest. */
  private look(): void {
    const now = performance.now();
    if (this.isHeld()) this.last = now;
    const left = this.last + this.timings.idleMs - now;
    if (left <= 0) this.dead();
    else this.check = setTimeout(() => this.look(), Math.ceil(left));
  }
}

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
