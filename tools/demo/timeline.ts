/** What a timeline moves. */
export interface MovedClock {
  advanceTo(at: number): void;
}

interface Waiting {
  readonly at: number;
  readonly goOn: () => void;
}

/**
 * Lets many people act, each at their own times, in the order of these times: the clock moves on when all of them wait for
 * a later time. Those whose times lie close together act at the same time, the latest of theirs.
 */
export class Timeline {
  #acting = 0;
  readonly #waiting: Waiting[] = [];

  /** @param togetherMs how far apart times are that count as the same */
  constructor(
    private readonly clock: MovedClock,
    private readonly togetherMs: number,
  ) {}

  /** Resolves once all are done. @throws what the first of them throws */
  async play(people: readonly (() => Promise<void>)[]): Promise<void> {
    this.#acting += people.length;
    await Promise.all(people.map((act) => act().finally(() => this.#rests())));
  }

  /** For those who play: resolves once a time has come, in milliseconds of the epoch. */
  until(at: number): Promise<void> {
    return new Promise((goOn) => {
      this.#waiting.push({ at, goOn });
      this.#rests();
    });
  }

  #rests(): void {
    this.#acting -= 1;
    if (this.#acting > 0) return;
    this.#waiting.sort((one, other) => one.at - other.at);
    const [first] = this.#waiting;
    if (first === undefined) return;
    const later = this.#waiting.findIndex(({ at }) => at > first.at + this.togetherMs);
    const next = this.#waiting.splice(0, later === -1 ? this.#waiting.length : later);
    this.#acting = next.length;
    this.clock.advanceTo(next.at(-1)?.at ?? first.at);
    for (const { goOn } of next) goOn();
  }
}
