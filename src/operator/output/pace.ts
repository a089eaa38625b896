/** Older looks say little about how fast it goes now. */
const WINDOW_MS = 15_000;

/** How fast something goes, by how far it was seen to be over the last seconds. */
export class Pace {
  #looks: readonly { readonly at: number; readonly done: number }[] = [];

  /** @param now monotonic milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes how far it is; going back begins anew. */
  to(done: number): void {
    const at = this.now();
    const last = this.#looks.at(-1);
    const kept = last !== undefined && done < last.done ? [] : this.#looks;
    // The last look before the window stays: else a long pause would leave nothing to compare with.
    const from = kept.findLastIndex((look) => at - look.at > WINDOW_MS);
    this.#looks = [...kept.slice(Math.max(0, from)), { at, done }];
  }

  /** A second; `null`: not known yet. */
  get rate(): number | null {
    const first = this.#looks[0];
    const last = this.#looks.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  /** Seconds until `total` at this pace; `null`: not known, or never. */
  secondsTo(total: number): number | null {
    const { rate } = this;
    const done = this.#looks.at(-1)?.done ?? 0;
    if (rate === null || rate <= 0) return null;
    return Math.max(0, total - done) / rate;
  }
}
