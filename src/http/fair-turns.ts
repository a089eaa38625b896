/** A piece that takes longer waits for a store: meanwhile others have their turn, in milliseconds. */
const HELD_MS = 50;

/**
 * Long answers, made a piece at a time: one piece in a turn of the event loop, so that other requests are answered
 * between two of them however many are made at once. The callers have their turns one after the other, whatever the
 * number of answers that each has asked for.
 */
export class FairTurns {
  #taken = false;
  /** Whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** The pieces as they are asked for. @param caller by whom the turns are dealt out */
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

  /** @returns ends the turn */
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
      // The next one has its turn after all that has come in meanwhile.
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
