import { setImmediate as turn } from 'node:timers/promises';

/** Longest stretch of work without letting anybody else have a turn. */
const SLICE_MS = 1;

/** Cuts long work on the event loop into slices, so that other requests are answered between them. */
export class Slices {
  #since = performance.now();

  /** To be called between small pieces of work: waits for a turn once the slice is used up. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await turn();
    this.#since = performance.now();
  }
}
