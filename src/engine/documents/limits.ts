import { TooFar } from './errors.js';

/** How much of the log one question may read. */
export interface ReadLimits {
  readonly events: number;
  /** Milliseconds from the beginning of the reading. */
  readonly ms: number;
}

/** What is left of some limits. */
export class Budget {
  readonly #deadline: number;
  #events: number;

  constructor(
    limits: ReadLimits,
    /** What is asked for, as the beginning of a sentence. */
    private readonly what: string,
  ) {
    this.#events = limits.events;
    this.#deadline = performance.now() + limits.ms;
  }

  /** Takes one more event; false: it is one too many, or too late. */
  spend(): boolean {
    return --this.#events >= 0 && performance.now() <= this.#deadline;
  }

  exceeded(): TooFar {
    return new TooFar(this.what);
  }
}
