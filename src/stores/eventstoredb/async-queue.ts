/**
 * Items from a producer that does not wait, for one consumer that takes them in its own time. The consumer gets all that
 * has come at once, and the queue keeps none of it.
 */
export class AsyncQueue<T> {
  #items: T[] = [];
  #isEnded = false;
  #wake: (() => void) | null = null;

  /** How many items wait. */
  get size(): number {
    return this.#items.length;
  }

  /** Adds an item behind the others. */
  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Call it after the last item. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** Waits for items, and takes all of them; `null` after the last. */
  async take(): Promise<readonly T[] | null> {
    if (this.#items.length === 0 && !this.#isEnded) await this.#arrival();
    if (this.#items.length === 0) return null;
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }
}
