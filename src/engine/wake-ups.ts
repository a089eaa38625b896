import type { ReadStore } from '../stores/read-store.js';
import { progressOf } from './progress.js';

/** What a worker waits by until there may be something to do. */
export interface WakeUps {
  /** Forgets what came before: called before a look, so that nothing is missed between it and the wait. */
  reset(): void;
  wake(): void;
  /** Resolves at the next wake-up since `reset`, when the signal ends, or after `ms` milliseconds. */
  next(ms: number): Promise<void>;
}

/** Wakes with each movement of the view where this process feeds it, until the signal ends. */
export function wakeUps(readStore: ReadStore, view: string, signal: AbortSignal): WakeUps {
  let moved = false;
  let end: () => void = () => undefined;
  const wake = (): void => {
    moved = true;
    end();
  };
  const stop = progressOf(readStore).watch((segment, folded) => {
    if (folded && segment.startsWith(`${view}.v`)) wake();
  });
  signal.addEventListener('abort', () => {
    stop();
    wake();
  });
  return {
    reset: () => {
      moved = false;
    },
    wake,
    next: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, ms);
        function done(): void {
          clearTimeout(timer);
          end = () => undefined;
          resolve();
        }
        end = done;
        if (moved || signal.aborted) done();
      }),
  };
}
