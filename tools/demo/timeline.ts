/** The clock that a timeline sets. */
export interface MovedClock {
  /** @param at in milliseconds since 1970 */
  advanceTo(at: number): void;
}

/** A call of `until` that has not returned. */
interface Waiting {
  readonly at: number;
  readonly proceed: () => void;
}

/**
 * Runs the scripts of many people on one simulated clock. Once every running script waits for a time, the clock is set to
 * the earliest of these times and its script continues. Scripts whose times are close together continue at the same time,
 * which is the latest of theirs.
 */
export class Timeline {
  #running = 0;
  readonly #waiting: Waiting[] = [];

  /** @param togetherMs times that are at most this far after the earliest one count as the same */
  constructor(
    private readonly clock: MovedClock,
    private readonly togetherMs: number,
  ) {}

  /** Runs the scripts; resolves once all are done. @throws what the first of them throws */
  async play(people: readonly (() => Promise<void>)[]): Promise<void> {
    this.#running += people.length;
    await Promise.all(people.map((run) => run().finally(() => this.#scriptWaits())));
  }

  /** Called by a running script: resolves once the clock has come to this time, in milliseconds since 1970. */
  until(at: number): Promise<void> {
    return new Promise((proceed) => {
      this.#waiting.push({ at, proceed });
      this.#scriptWaits();
    });
  }

  /** Called when a script waits or ends. */
  #scriptWaits(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    this.#waiting.sort((one, other) => one.at - other.at);
    const [first] = this.#waiting;
    if (first === undefined) return;
    const later = this.#waiting.findIndex(({ at }) => at > first.at + this.togetherMs);
    const next = this.#waiting.splice(0, later === -1 ? this.#waiting.length : later);
    this.#running = next.length;
    this.clock.advanceTo(next.at(-1)?.at ?? first.at);
    for (const { proceed } of next) proceed();
  }
}
