import { START, type Position } from '../../core/event-store.js';
import type { RawPosition } from './drivers/driver.js';
import { isKnown, toPosition } from './record.js';

/** A page of `$all` read backward from a place: positions, and which of them are this log's events. */
export type ReadBack = (
  from: RawPosition | 'end',
  count: number,
) => Promise<readonly { readonly position: RawPosition; readonly ours: boolean }[]>;

const FIRST_PAGE = 16;
const LARGEST_PAGE = 2_048;

/**
 * The position of this log's last event. Other logs and the server itself write to `$all` too, so it is looked for
 * from the end backward, down to what an earlier look has seen: no idle stretch is scanned twice.
 */
export class Head {
  /** The last event of ours that is known of. */
  #known: Position = START;
  /** All of `$all` up to here was looked through: nothing of ours lies between `#known` and it. */
  #seen: Position = START;

  constructor(
    private readonly readBack: ReadBack,
    /** Nothing of this log lies before it. */
    private readonly origin: Position,
  ) {}

  /** What is known without asking: the true head is here or beyond. */
  get known(): Position {
    return this.#known;
  }

  /** An event of ours was appended or read. */
  reached(position: Position): void {
    if (position > this.#known) this.#known = position;
    if (position > this.#seen) this.#seen = position;
  }

  async find(): Promise<Position> {
    const seen = this.#seen > this.origin ? this.#seen : this.origin;
    let top: Position | null = null;
    let from: RawPosition | 'end' = 'end';
    for (let count = FIRST_PAGE; ; count = Math.min(count * 4, LARGEST_PAGE)) {
      const page = await this.readBack(from, count);
      for (const { position: raw, ours } of page) {
        const position = toPosition(raw);
        top ??= position;
        if (position > seen && !ours) continue;
        if (position > seen) this.reached(position);
        if (top > this.#seen) this.#seen = top;
        return this.#known;
      }
      const last = page.at(-1)?.position;
      if (page.length < count || !isKnown(last)) return this.#known;
      from = last;
    }
  }
}
