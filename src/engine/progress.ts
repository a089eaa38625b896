import type { Position } from '../core/event-store.js';
import type { ReadStore } from '../stores/read-store.js';

type Watcher = (segment: string, folded: boolean) => void;

/** How far the segments worked on in this process have come: spares readers here the polling of checkpoints. */
export class Progress {
  readonly #reached = new Map<string, Position>();
  readonly #watchers = new Set<Watcher>();

  /**
   * Everything up to `position` stands in the documents; the checkpoint may follow a little later.
   * @param folded whether documents were written since
   */
  publish(segment: string, position: Position, folded = true): void {
    const former = this.#reached.get(segment);
    if (former !== undefined && former >= position) return;
    this.#reached.set(segment, position);
    for (const watch of this.#watchers) watch(segment, folded);
  }

  /** How far a segment has come here, `null` where it is not worked on. */
  of(segment: string): Position | null {
    return this.#reached.get(segment) ?? null;
  }

  has(segment: string, position: Position): boolean {
    const reached = this.#reached.get(segment);
    return reached !== undefined && reached >= position;
  }

  /** Of a generation that is gone. */
  forget(segment: string): void {
    this.#reached.delete(segment);
  }

  /** Calls `listener` with each segment that has moved, until the returned function is called. */
  watch(listener: Watcher): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  /** Resolves once all these segments have come to `position`, or after `ms` milliseconds. */
  reached(segments: readonly string[], position: Position, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(done, ms);
      const stop = this.watch(() => {
        if (segments.every((segment) => this.has(segment, position))) done();
      });
    });
  }
}

const shared = new WeakMap<ReadStore, Progress>();

/** The progress of the projector, if any, that works on this very read store object. */
export function progressOf(readStore: ReadStore): Progress {
  let progress = shared.get(readStore);
  if (progress === undefined) shared.set(readStore, (progress = new Progress()));
  return progress;
}
