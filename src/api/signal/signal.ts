import { createHash } from 'node:crypto';
import {
  addCounts,
  type RoleSignal,
  type SignalCounts,
  ZERO,
  signal,
  type SignalDocument,
} from '../../../projections/signal.js';
import { Count, Named, type Static, Type, Uuid } from '../../core/json-schema.js';
import { START, type Position } from '../../core/event-store.js';
import { Slices } from '../../core/concurrency.js';
import type { Found } from '../../engine/reads/reads.js';
import type { Freshness, Reads } from '../../application/reads.js';

const counts = {
  trialCompletedCount: Count,
  outcomeRecordedCount: Count,
  awaitingOutcomeCount: Count,
  humanRound: Named('HumanRoundCounts', { passed: Count, failed: Count }),
  disposition: Named('DispositionCounts', { hired: Count, declined: Count }),
};

/** The signal summary as the interface has it. */
export type SignalSummary = Static<typeof SignalSummary>;
export const SignalSummary = Named(
  'SignalSummary',
  {
    roles: Type.Array(Named('RoleSignal', { roleId: Uuid, roleName: Type.String(), ...counts })),
    totals: Named('SignalTotals', counts),
  },
  { description: '`roles` are ordered by name, then by id; `totals` are their sum.' },
);

/** @param rows of one organisation, in any order */
export const summaryOf = (rows: readonly RoleSignal[]): SignalSummary => ({
  roles: [...rows].sort(byNameThenId),
  totals: rows.reduce<SignalCounts>(addCounts, ZERO),
});

/** By code units: the same order on every machine, whatever its locale. */
const byNameThenId = (a: RoleSignal, b: RoleSignal): number =>
  compare(a.roleName, b.roleName) || compare(a.roleId, b.roleId);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A summary as JSON, and its entity tag. */
interface Written {
  readonly body: Buffer;
  readonly tag: string;
}

const written = new WeakMap<SignalSummary, Written>();

/** The summary as JSON. One that is read again unchanged is the same object, and is written only once. */
export const writeSummary = (summary: SignalSummary): Written => {
  let once = written.get(summary);
  if (once === undefined) {
    const body = Buffer.from(JSON.stringify(summary));
    once = { body, tag: `"${createHash('sha256').update(body).digest('base64url')}"` };
    written.set(summary, once);
  }
  return once;
};

/** Rows read at once. */
const PAGE = 500;

/** An organisation's summary as the views have it. */
export interface FoundSummary {
  readonly summary: SignalSummary;
  /** Of the newest event that it counts; `START` where it has no rows. */
  readonly position: Position;
}

interface Known extends FoundSummary {
  /** The pages that it was made of. */
  readonly pages: readonly Rows[];
}

type Rows = readonly Found<SignalDocument>[];

/** By the first of its pages: a summary whose pages are the same again is made up only once. */
const known = new WeakMap<Rows, Known>();

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
  const first = await rowsFrom(null);
  const pages = [first.items];
  const slices = new Slices();
  for (let cursor = first.nextCursor; cursor !== null;) {
    await slices.next();
    const page = await rowsFrom(cursor);
    pages.push(page.items);
    cursor = page.nextCursor;
  }
  const former = known.get(first.items);
  if (former?.pages.length === pages.length && former.pages.every((page, at) => page === pages[at]))
    return former;
  const summary = { ...found(pages.flat()), pages };
  known.set(first.items, summary);
  return summary;
};

const found = (rows: Rows): FoundSummary => ({
  summary: summaryOf(rows.flatMap(({ document }) => document.row ?? [])),
  position: rows.reduce((newest, { position }) => (position > newest ? position : newest), START),
});
