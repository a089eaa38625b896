/** Whoever waits for one thing, a lease say. */
export class Waiting {
  readonly #done = new Set<() => void>();

  /** Resolves with the next `end`, or when the signal ends. */
  until(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        this.#done.delete(done);
        resolve();
      };
      this.#done.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** It is there, or never will be. */
  end(): void {
    for (const done of this.#done) done();
  }
}
