import { addCounts, type RoleSignal, type SignalCounts, ZERO } from '../../../projections/signal.js';
import { component, integer, type JsonSchema, listOf, objectOf, text, uuid } from '../../core/json-schema.js';

/** The signal summary as the interface has it. */
export interface SignalSummary {
  /** By name, then by id. */
  readonly roles: readonly RoleSignal[];
  /** The rows' sum. */
  readonly totals: SignalCounts;
}

/** @param rows of one organisation, in any order */
export const summaryOf = (rows: readonly RoleSignal[]): SignalSummary => ({
  roles: [...rows].sort(byNameThenId),
  totals: rows.reduce<SignalCounts>(addCounts, ZERO),
});

/** By code units: the same order on every machine, whatever its locale. */
const byNameThenId = (a: RoleSignal, b: RoleSignal): number =>
  compare(a.roleName, b.roleName) || compare(a.roleId, b.roleId);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const written = new WeakMap<SignalSummary, Buffer>();

/** The summary as JSON. One that is read again unchanged is the same object, and is written only once. */
export const signalBody = (summary: SignalSummary): Buffer => {
  let body = written.get(summary);
  if (body === undefined) written.set(summary, (body = Buffer.from(JSON.stringify(summary))));
  return body;
};

const counts = {
  trialCompletedCount: integer,
  outcomeRecordedCount: integer,
  awaitingOutcomeCount: integer,
  humanRound: objectOf({ passed: integer, failed: integer }),
  disposition: objectOf({ hired: integer, declined: integer }),
};

export const signalSchema = (): JsonSchema =>
  component(
    'SignalSummary',
    objectOf({
      roles: listOf(objectOf({ roleId: uuid, roleName: text, ...counts })),
      totals: objectOf(counts),
    }),
  );
