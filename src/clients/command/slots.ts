/** So many at once; who comes later waits, in order. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** How many wait. */
  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Waits for a slot.
   * @returns what gives it back, once; `null` where the signal came first
   */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    if (this.free > 0) this.free -= 1;
    else if (!(await this.turn(signal))) return null;
    let isTaken = true;
    return () => {
      if (isTaken) this.giveBack();
      isTaken = false;
    };
  }

  private turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const proceed = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(proceed), 1);
        resolve(false);
      };
      this.waiting.push(proceed);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** To the next one at once: nobody who comes meanwhile gets in between. */
  private giveBack(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
