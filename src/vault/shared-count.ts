import { Serial } from '../core/concurrency.js';
import type { SealedRecords } from './sealed-records.js';

/** A process reserves `max / BLOCKS` uses at a time: so it writes seldom, and loses few unused ones when it ends. */
const BLOCKS = 200;
const ID = 'all';

/** The shared record. */
interface Taken {
  /** When the period ends, in milliseconds since 1970. */
  readonly until: number;
  /** The number that all processes have reserved in the period. */
  readonly taken: number;
}

/**
 * Limits how often all processes together do something in a period, by one record. A period begins with the first call
 * after the end of the one before.
 */
export class SharedCount {
  // Calls of one process wait for each other: it competes for the record with other processes only.
  readonly #turns = new Serial();
  /** The number that this process has reserved and not used. */
  #left = 0;
  /** When the reservation's period ends, in milliseconds since 1970. */
  #until = 0;

  /**
   * @param kind the record's kind: the same for all processes, and for no other count
   * @param limit at most `max` in `seconds`
   * @param now milliseconds since 1970
   */
  constructor(
    private readonly records: SealedRecords,
    private readonly kind: string,
    private readonly limit: { readonly max: number; readonly seconds: number },
    private readonly now: () => number,
  ) {}

  /** Counts one more. @returns 0, or the seconds to wait if the limit is reached. @throws {VaultUnavailable} */
  take(): Promise<number> {
    return this.#turns.run(this.kind, () => this.#take());
  }

  async #take(): Promise<number> {
    if (!this.#isCurrent(this.#until)) this.#left = 0;
    if (this.#left === 0) await this.#reserve();
    if (this.#left === 0) return Math.ceil((this.#until - this.now()) / 1_000);
    this.#left--;
    return 0;
  }

  async #reserve(): Promise<void> {
    const { max, seconds } = this.limit;
    const block = Math.ceil(max / BLOCKS);
    const { until, left } = await this.records.update<Taken, Taken & { left: number }>(
      this.kind,
      ID,
      (stored) => {
        const known =
          stored && this.#isCurrent(stored.until)
            ? stored
            : { until: this.now() + seconds * 1_000, taken: 0 };
        const more = Math.min(block, max - known.taken);
        if (more <= 0) return { answer: { ...known, left: 0 } };
        const value = { ...known, taken: known.taken + more };
        return { answer: { ...known, left: more }, to: { value, seconds } };
      },
    );
    this.#until = until;
    this.#left = left;
  }

  /** An end that is more than a period ahead was written by a clock that was ahead: a new period begins. */
  #isCurrent(until: number): boolean {
    const left = until - this.now();
    return left > 0 && left <= this.limit.seconds * 1_000;
  }
}
