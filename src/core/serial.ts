/** Runs tasks of one key one after the other, tasks of different keys side by side. */
export class Serial {
  private readonly tails = new Map<string, Promise<void>>();

  /** The task's own result; a failed task does not stop those behind it. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key);
    const result = before ? before.then(task) : task();
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
