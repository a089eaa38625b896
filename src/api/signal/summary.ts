import { signal, type SignalDocument } from '../../../projections/signal.js';
import type { Freshness, Reads } from '../reads.js';
import { START, type Position } from '../../core/event-store.js';
import { Slices } from '../../core/slices.js';
import type { Found } from '../../engine/reads.js';
import { type SignalSummary, summaryOf } from './record.js';

/** Rows read at once. */
const PAGE = 500;

/** An organisation's summary as the views have it. */
export interface FoundSummary {
  readonly summary: SignalSummary;
  /** Of the newest event that it counts; `START` where it has no rows. */
  readonly position: Position;
}

/** Of organisations whose rows are one page: the same again is made up only once. */
const known = new WeakMap<readonly Found<SignalDocument>[], FoundSummary>();

/**
 * Reads every row of an organisation. Each event changes one row, so that no summary holds half of one; totals are the
 * sum of the very rows that are answered.
 * @throws {ViewParked} a row could not take an event
 */
export const readSummary = async (
  reads: Pick<Reads, 'list'>,
  organisationId: string,
  freshness: Freshness,
): Promise<FoundSummary> => {
  const rowsFrom = (cursor: string | null) =>
    reads.list(signal, 'byOrganisation', [organisationId], { limit: PAGE, cursor }, freshness);
  const { items, nextCursor } = await rowsFrom(null);
  if (nextCursor === null) {
    const summary = known.get(items) ?? found(items);
    known.set(items, summary);
    return summary;
  }
  const rows = [...items];
  const slices = new Slices();
  for (let cursor: string | null = nextCursor; cursor !== null;) {
    await slices.next();
    const page = await rowsFrom(cursor);
    rows.push(...page.items);
    cursor = page.nextCursor;
  }
  return found(rows);
};

const found = (rows: readonly Found<SignalDocument>[]): FoundSummary => ({
  summary: summaryOf(rows.flatMap(({ document }) => document.row ?? [])),
  position: rows.reduce((newest, { position }) => (position > newest ? position : newest), START),
});
