import { unavailable } from '../http/api-error.js';

/** Lets so many through at once; others wait in line, but not for ever. */
export class Gate {
  readonly #line: (() => void)[] = [];
  #free: number;

  /**
   * @param places how many are let through at once
   * @param patienceMs how long anybody waits in line
   */
  constructor(
    places: number,
    private readonly patienceMs: number,
  ) {
    this.#free = places;
  }

  /** @throws {ApiError} `unavailable`: it was never its turn */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#line.splice(this.#line.indexOf(mine), 1);
        reject(unavailable('Too many look into the past just now. Try again shortly.'));
      }, this.patienceMs);
      this.#line.push(mine);
    });
  }
}
