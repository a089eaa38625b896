import { Late } from './describe.js';

/**
 * So many at once, the others in their order. An HTTP/2 connection takes 100 streams; what is begun beyond them hangs
 * without an error, subscriptions and appends alike.
 */
export class Slots {
  readonly #waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** @returns what gives the slot back, to be called once; at once where one is free */
  take(withinMs: number): (() => void) | Promise<() => void> {
    if (this.free > 0) {
      this.free--;
      return this.#giveBack;
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(turn);
        reject(new Late(withinMs));
      }, withinMs);
      const turn = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(turn);
        resolve(this.#giveBack);
      };
      this.#waiting.add(turn);
    });
  }

  readonly #giveBack = (): void => {
    const [next] = this.#waiting;
    if (next) next();
    else this.free++;
  };
}
