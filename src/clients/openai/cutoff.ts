/** The end of one attempt: the caller's signal or a time-out, whichever comes first. */
export class Cutoff {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #reason: 'aborted' | 'timed_out' | null = null;

  constructor(private readonly caller: AbortSignal) {
    if (caller.aborted) this.#abort();
    else caller.addEventListener('abort', this.#abort);
  }

  /** Aborts when it is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What ended it; `null`: nothing has. */
  get reason(): 'aborted' | 'timed_out' | null {
    return this.#reason;
  }

  /** From now on it has so many milliseconds. */
  allow(ms: number): void {
    this.hold();
    this.#timer = setTimeout(() => this.#end('timed_out'), Math.max(0, ms));
  }

  /** Stops the time until the next `allow`. */
  hold(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** The attempt is over, well or not: what it still holds open is let go. */
  close(): void {
    this.hold();
    this.caller.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  readonly #abort = (): void => this.#end('aborted');

  #end(reason: 'aborted' | 'timed_out'): void {
    this.#reason ??= reason;
    this.close();
  }
}
