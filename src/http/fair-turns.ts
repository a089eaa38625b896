/** Longest turn, in milliseconds. Then the next one begins, so that a piece that waits for a store delays no others. */
const MAX_TURN_MS = 50;

/**
 * Makes long answers a piece at a time. Only one piece is begun in each turn of the event loop, independent of the
 * number of answers, so that other requests are answered in between. Callers take turns, so that many answers of one
 * caller do not delay those of another.
 */
export class FairTurns {
  #taken = false;
  /** The waiting turns by caller. The first caller is the next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Yields the pieces of `source`, each made in a turn of this caller. */
  async *pieces<T>(
    caller: string,
    source: AsyncGenerator<T, void, undefined>,
  ): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const end = await this.#turn(caller);
        const next = await source.next().finally(end);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await source.return();
    }
  }

  /** Waits for a turn. @returns the function that ends it */
  #turn(caller: string): (() => void) | Promise<() => void> {
    if (!this.#taken) return this.#begin();
    return new Promise((resolve) => {
      const queue = this.#waiting.get(caller) ?? [];
      queue.push(() => resolve(this.#begin()));
      this.#waiting.set(caller, queue);
    });
  }

  #begin(): () => void {
    this.#taken = true;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // `setImmediate`: the event loop handles what has arrived meanwhile before the next turn.
      setImmediate(() => this.#next());
    };
    const timer = setTimeout(end, MAX_TURN_MS);
    return end;
  }

  #next(): void {
    this.#taken = false;
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [caller, [begin, ...rest]] = first;
    this.#waiting.delete(caller);
    if (rest.length > 0) this.#waiting.set(caller, rest);
    begin?.();
  }
}

/** The turns of all long answers of this process, which share one event loop. */
export const longAnswers = new FairTurns();
