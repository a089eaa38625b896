interface Shared<T> {
  readonly value: T;
  /** How often it was acquired and not released. */
  users: number;
}

/** Values that all handles of this process on one folder share, such as an LMDB environment: each is opened once. */
export class OncePerFolder<T> {
  readonly #open = new Map<string, Shared<T>>();

  /**
   * The value for a folder, made for its first user.
   * @param key the folder's real path; with the mode, if handles of different modes have different values
   */
  acquire(key: string, make: () => T): T {
    const shared = this.#open.get(key) ?? { value: make(), users: 0 };
    this.#open.set(key, shared);
    shared.users++;
    return shared.value;
  }

  /** Call it once for each `acquire`. @returns whether no handle uses the value any more: the caller then closes it */
  release(value: T): boolean {
    for (const [key, shared] of this.#open) {
      if (shared.value !== value) continue;
      if (--shared.users > 0) return false;
      this.#open.delete(key);
    }
    return true;
  }
}
