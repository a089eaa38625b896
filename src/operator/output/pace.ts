/** Older looks say little about how fast it goes now. */
const WINDOW_MS = 15_000;
/** Looks that are closer together are not told apart, and over a shorter time no pace is known. */
const STEP_MS = 500;

interface Look {
  readonly at: number;
  readonly done: number;
}

/** How fast something goes, by how far it was seen to be over the last seconds. */
export class Pace {
  /** At least a step apart. */
  #looks: readonly Look[] = [];
  #last: Look | null = null;

  /** @param now monotonic milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes how far it is, as often as one likes. Going back begins anew. */
  to(done: number): void {
    const look = { at: this.now(), done };
    if (this.#last !== null && done < this.#last.done) this.#looks = [];
    this.#last = look;
    const before = this.#looks.at(-1);
    if (before !== undefined && look.at - before.at < STEP_MS) return;
    // The last look before the window stays: else a long pause would leave nothing to compare with.
    const from = this.#looks.findLastIndex(({ at }) => look.at - at > WINDOW_MS);
    this.#looks = [...this.#looks.slice(Math.max(0, from)), look];
  }

  /** A second; `null`: not known yet. */
  get rate(): number | null {
    const first = this.#looks[0];
    const last = this.#last;
    if (first === undefined || last === null || last.at - first.at < STEP_MS) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  /** Seconds until `total` at this pace; `null`: not known, or never. */
  secondsTo(total: number): number | null {
    const { rate } = this;
    if (rate === null || rate <= 0) return null;
    return Math.max(0, total - (this.#last?.done ?? 0)) / rate;
  }
}
