import { signal, type SignalDocument } from '../../projections/signal.js';
import {
  component,
  integer,
  type JsonSchema,
  listOf,
  objectOf,
  text,
  uuid,
} from '../app/http/openapi/schema.js';

/** Of an organisation in which nothing has happened yet: what its view begins with. */
export const EMPTY: SignalDocument = signal.initial('');

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
