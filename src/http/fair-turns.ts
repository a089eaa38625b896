/**
 * Milliseconds after which a turn ends though its piece is not made: it waits for a store, and others go on meanwhile.
 */
const HELD_MS = 50;

/**
 * Long answers, made a piece at a time. One piece is made in a turn of the event loop, however many answers are under
 * way, so that other requests are answered in between. Turns go round by caller, so that many answers of one caller do
 * not hold up those of another.
 */
export class FairTurns {
  #taken = false;
  /** By caller, the turns that wait. The first caller is the next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** The pieces of `source`, each made in a turn of this caller. */
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
      const own = this.#waiting.get(caller) ?? [];
      own.push(() => resolve(this.#begin()));
      this.#waiting.set(caller, own);
    });
  }

  #begin(): () => void {
    this.#taken = true;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // After what has come in meanwhile: the event loop handles it before the next turn.
      setImmediate(() => this.#next());
    };
    const timer = setTimeout(end, HELD_MS);
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
