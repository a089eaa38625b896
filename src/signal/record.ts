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

const NONE: SignalCounts = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};

/** Of an organisation in which nothing has happened yet. */
export const EMPTY: SignalDocument = { roles: [], totals: NONE };

const bodies = new WeakMap<SignalDocument, Buffer>();

/**
 * The signal summary as the interface has it, the document itself, as JSON. A document that is read again unchanged
 * is the same object, and is written only once.
 */
export const signalBody = (document: SignalDocument): Buffer => {
  let body = bodies.get(document);
  if (body === undefined) bodies.set(document, (body = Buffer.from(JSON.stringify(document))));
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
