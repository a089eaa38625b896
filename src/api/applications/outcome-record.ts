import {
  component,
  instant,
  type JsonSchema,
  nullable,
  objectOf,
  oneOf,
  text,
} from '../../core/json-schema.js';
import type { Outcome } from '../../domain/application/decider.js';

/** An outcome as every path returns it. */
export const outcomeRecord = (outcome: Outcome): Outcome => ({
  humanRound: outcome.humanRound,
  disposition: outcome.disposition,
  reason: outcome.reason,
  recordedAt: outcome.recordedAt,
  recordedBy: outcome.recordedBy,
});

export const outcomeSchema = (): JsonSchema =>
  component(
    'Outcome',
    objectOf({
      humanRound: nullable(oneOf('passed', 'failed')),
      disposition: nullable(oneOf('hired', 'declined')),
      reason: nullable(text),
      recordedAt: instant,
      recordedBy: text,
    }),
  );
