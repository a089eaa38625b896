import type { Reading } from '../../src/engine/clock-judgement.js';

/** How much faster the time of a history passes: what takes the service a second took people a minute. */
const RATE = 60;

const SystemDate = globalThis.Date;

/**
 * The time of the demo's process. While a history is made, it is in the past, passes faster and can be moved forward.
 * After that it is the real time.
 *
 * It replaces the global `Date`: the service, the libraries that check its tokens and the players must read the same time.
 * Timers and `performance.now()` stay real, so that timeouts are as long as ever.
 */
export class HistoryClock {
  /** A time of the history, and when it was by the monotonic clock; `null`: time is real. */
  #past: { readonly wall: number; readonly since: number } | null = null;

  /** Moves this process to a time in the past. */
  begin(at: number): void {
    const now = this.now;
    this.#past = { wall: at, since: performance.now() };
    globalThis.Date = new Proxy(SystemDate, {
      apply: () => new SystemDate(now()).toString(),
      construct: (date, given: unknown[], asked: NewableFunction) =>
        Reflect.construct(date, given.length === 0 ? [now()] : given, asked) as Date,
      get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
    });
  }

  /** Moves on to a later time. An earlier time changes nothing. */
  advanceTo(at: number): void {
    if (this.#past !== null && at > this.now()) this.#past = { wall: at, since: performance.now() };
  }

  /** From now on time is real. */
  end(): void {
    this.#past = null;
    globalThis.Date = SystemDate;
  }

  /** Milliseconds of the epoch; never later than the real time. */
  readonly now = (): number => {
    const real = SystemDate.now();
    if (this.#past === null) return real;
    return Math.min(real, Math.floor(this.#past.wall + (performance.now() - this.#past.since) * RATE));
  };

  /** Both clocks as one: else the service would treat each step of the history as a wrongly set system clock. */
  readonly read = (): Reading => ({ wall: this.now(), monotonic: this.now() });
}
