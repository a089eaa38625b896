import type { Sequence } from './record.js';

/** Another process's append is seen within this time, well under the 50 ms promised. */
const POLL_MS = 20;

interface Waiter {
  readonly after: Sequence;
  readonly wake: () => void;
}

/**
 * The end of the log: wakes its waiters at this process's appends, and polls for those of others while a consumer
 * waits.
 */
export class Tail {
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly head: () => Sequence) {}

  /** Resolves once there is an event after a sequence, the signal aborts, or the log cannot be read. */
  wait(after: Sequence, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#stop();
        resolve();
      };
      const waiter: Waiter = { after, wake };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', wake, { once: true });
      this.#timer ??= setInterval(() => this.#look(), POLL_MS).unref();
    });
  }

  /** The log now reaches at least this far. */
  reached(head: Sequence): void {
    for (const { after, wake } of this.#waiters) if (head > after) wake();
  }

  /** Wakes all waiters: the log is being closed. */
  close(): void {
    for (const { wake } of this.#waiters) wake();
  }

  #look(): void {
    try {
      this.reached(this.head());
    } catch {
      // The waiters find out for themselves when they read.
      this.close();
    }
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
