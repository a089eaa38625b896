import type { Position } from '../../core/event-store.js';
import type { ReadStore } from '../../stores/read-store.js';
import { progressOf, type Arrival, type Progress } from '../live/progress.js';
import type { ViewReader } from '../reads/reads.js';
import type { AnyView } from '../view.js';

/** The longest wait, in milliseconds: a repair of documents by another process sends no wake-up. */
const SLOW_MS = 60_000;

/**
 * Polls a view at each fold of it in this process, or, if another process feeds it, every `pollMs` while it is behind
 * an event that has come through this process's feed. So without events nothing is read. The worker calls `around` in a
 * loop.
 */
export class WakeUps {
  readonly #progress: Progress;
  readonly #handled: ReadonlySet<string>;
  /** The last event that concerns the view, or where the feed began. */
  #last: Position | null = null;
  #woken = false;
  #sleep: { readonly end: () => void; readonly within: (ms: number) => void } | null = null;

  constructor(
    private readonly view: AnyView,
    readStore: ReadStore,
    private readonly reader: Pick<ViewReader, 'hasReached'>,
    private readonly signal: AbortSignal,
    private readonly pollMs = 1_000,
  ) {
    this.#progress = progressOf(readStore);
    this.#handled = new Set(view.handles);
    const stops = [
      this.#progress.onArrival((event) => this.#arrived(event)),
      this.#progress.onFolded((segment) => {
        if (segment.startsWith(`${view.name}.v`)) this.wake();
      }),
    ];
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop();
      this.wake();
    });
  }

  /** Ends the wait for the next poll, or the next wait if none is under way. */
  wake(): void {
    this.#woken = true;
    this.#sleep?.end();
  }

  /**
   * Polls, and waits until the next poll is due.
   * @param poll returns the longest time until the next poll, in milliseconds
   * @throws what `poll` throws
   */
  async around(poll: () => Promise<number>): Promise<void> {
    // Both lines precede the poll, so that an event during it is not missed.
    this.#woken = false;
    const isCurrent = await this.#isCurrent();
    const ms = await poll();
    await this.#next(Math.min(ms, isCurrent ? SLOW_MS : this.pollMs));
  }

  /** Whether the view shows every event that has come through the feed. Throws what the read store throws. */
  async #isCurrent(): Promise<boolean> {
    this.#last ??= this.#progress.feedPosition;
    return this.#last !== null && (await this.reader.hasReached(this.view, this.#last));
  }

  #arrived(event: Arrival): void {
    if (!event.mayBe(this.#handled)) return;
    this.#last = event.position;
    this.#sleep?.within(this.pollMs);
  }

  /** Resolves at the next wake-up, when the signal aborts, or after `ms` milliseconds. */
  #next(ms: number): Promise<void> {
    if (this.#woken || this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#sleep = null;
        resolve();
      };
      let until = performance.now() + ms;
      let timer = setTimeout(end, ms).unref();
      const within = (max: number): void => {
        if (performance.now() + max >= until) return;
        until = performance.now() + max;
        clearTimeout(timer);
        timer = setTimeout(end, max).unref();
      };
      this.#sleep = { end, within };
    });
  }
}
