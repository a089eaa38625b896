/**
 * Where one side puts what comes from the server at once, and the other takes it in its own time: all that is there
 * each time, so that a fast consumer lets go of events as they come.
 */
export class Mailbox<T> {
  #items: T[] = [];
  #over = false;
  #wake: (() => void) | null = null;

  /** How many lie there now. */
  get size(): number {
    return this.#items.length;
  }

  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Nothing more comes. */
  end(): void {
    this.#over = true;
    this.#wake?.();
  }

  /** What has come, once something has; `null` once nothing more comes. */
  async take(): Promise<readonly T[] | null> {
    if (this.#items.length === 0 && !this.#over) await this.#arrival();
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
