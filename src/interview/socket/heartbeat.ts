import type { Timings } from './timings.js';

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
