import { Serial } from '../core/concurrency.js';
import type { SealedRecords } from './sealed-records.js';

/** A process counts as many at once in the store as are this part of all: so it writes seldom, and few are lost with it. */
const BLOCKS = 200;
const ID = 'all';

/** What all processes have taken, until when it counts, in milliseconds since 1970. */
interface Taken {
  readonly until: number;
  readonly taken: number;
}

/** Counts, in one record, what all processes together may do a limited number of times in a period. */
export class SharedCount {
  // Its processes compete for the record already: this one's calls wait for each other.
  readonly #turns = new Serial();
  /** Counted in the store for this process, and not taken yet. */
  #left = 0;
  #until = 0;

  /** @param kind of the record: the same for all processes, and for no other count */
  constructor(
    private readonly records: SealedRecords,
    private readonly kind: string,
    private readonly limit: { readonly max: number; readonly seconds: number },
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts one more. @returns seconds until one more may be; 0: it is counted. @throws {VaultUnavailable} */
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

  /** What a clock that was ahead has counted ends when it is right again. */
  #isCurrent(until: number): boolean {
    const left = until - this.now();
    return left > 0 && left <= this.limit.seconds * 1_000;
  }
}
