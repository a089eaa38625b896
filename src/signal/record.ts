import type { SignalCounts, SignalDocument } from '../../projections/signal.js';
import {
  component,
  integer,
  type JsonSchema,
  listOf,
  objectOf,
  text,
  uuid,
} from '../app/http/openapi/schema.js';

/** The signal summary as the interface has it: the document itself. */
export type SignalRecord = SignalDocument;

const NONE: SignalCounts = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};

/** @param document `null` where nothing has happened yet */
export const signalRecord = (document: SignalDocument | null): SignalRecord =>
  document ?? { roles: [], totals: NONE };

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
