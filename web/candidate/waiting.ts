import { signal } from '@preact/signals';

/** What the page may wait for. */
export type Waiting = 'service' | 'signIn' | 'application' | 'start' | 'sending' | 'file';

/**
 * Runs some work, and shows what the page waits for if it takes long. Errors of the work are thrown.
 * @param work its signal aborts if the candidate cancels the wait
 */
export type WaitsFor = <T>(what: Waiting, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** A shorter wait is not shown. */
const LONG_MS = 3_000;

/** The waits of a page. Of several long ones, the latest is shown until it ends. */
export class Waits {
  /** What the page waits for, and what cancels the wait; `null`: nothing to show. */
  readonly shown = signal<{ readonly what: Waiting; readonly leave: () => void } | null>(null);

  readonly waitsFor: WaitsFor = async (what, work) => {
    const leaving = new AbortController();
    const own = { what, leave: () => leaving.abort() };
    const timer = setTimeout(() => (this.shown.value = own), LONG_MS);
    try {
      return await work(leaving.signal);
    } finally {
      clearTimeout(timer);
      if (this.shown.value === own) this.shown.value = null;
    }
  };
}
