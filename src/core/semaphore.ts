/** Gives a place back; further calls have no effect. */
export type Release = () => void;

/** Admits so many at once. Later calls wait, in order; each may stop waiting. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();

  /** @param free how many are admitted at once */
  constructor(private free: number) {}

  /** Number of waiting calls. */
  get queued(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a place, without a promise if one is free.
   * @param until how long to wait: milliseconds, or until a signal aborts
   * @returns `null`: no place was free in time
   */
  acquire(until: number | AbortSignal): Release | null | Promise<Release | null> {
    if (typeof until !== 'number' && until.aborted) return null;
    if (this.free > 0) {
      this.free--;
      return this.#place();
    }
    return new Promise((resolve) => {
      const end = (release: Release | null): void => {
        this.#waiting.delete(admit);
        if (typeof until === 'number') clearTimeout(timer);
        else until.removeEventListener('abort', leave);
        resolve(release);
      };
      const admit = (): void => end(this.#place());
      const leave = (): void => end(null);
      const timer = typeof until === 'number' ? setTimeout(leave, until) : undefined;
      if (typeof until !== 'number') until.addEventListener('abort', leave);
      this.#waiting.add(admit);
    });
  }

  #place(): Release {
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      // The next waiting call is admitted at once, so that a new call cannot overtake it.
      const [next] = this.#waiting;
      if (next) next();
      else this.free++;
    };
  }
}
