/** Work of one kind in one process: most of it side by side, some of it with nothing beside it. */
export class SideBySide {
  /** Ends with the last work that was to be alone; `null`: there is none. */
  private alone: Promise<unknown> | null = null;
  private readonly running = new Set<Promise<unknown>>();

  /** Does the work as soon as nothing is, or waits to be, alone. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.alone !== null) await this.alone;
    const running = work();
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /** Does the work once all that has begun before has ended; what comes later waits for it. */
  async runAlone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.alone;
    const working = (async () => {
      await before;
      await Promise.allSettled(this.running);
      return work();
    })();
    const over: Promise<void> = working.then(
      () => undefined,
      () => undefined,
    );
    this.alone = over;
    // Registered before anybody waits for it, so that it is done before they go on.
    void over.then(() => {
      if (this.alone === over) this.alone = null;
    });
    return working;
  }
}
