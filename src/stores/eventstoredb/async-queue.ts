/** A queue between a producer that does not wait and one consumer. The consumer takes all queued items at once. */
export class AsyncQueue<T> {
  #items: T[] = [];
  #isEnded = false;
  #wake: (() => void) | null = null;

  /** The number of queued items. */
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
