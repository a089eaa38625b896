import type { Detection, IntegrityFinding } from '../../src/domain/evaluation/events.js';
import { evidenceOf } from '../../src/scoring/evidence/evidence.js';
import { findIntegrity, type IntegrityRules } from '../../src/scoring/integrity/find.js';
import { currentRuleSet } from '../../src/scoring/rule-sets.js';
import { SessionBuilder } from './evidence-builder.js';

interface Circumstances {
  /** The session's end in seconds after its start; by default a second after its last event. */
  readonly end?: number;
  readonly detections?: readonly Detection[];
  readonly rules?: IntegrityRules;
  readonly timeFactor?: number;
}

/** The findings of the rules in a completed session. */
export const findingsOf = (
  build: (session: SessionBuilder) => SessionBuilder,
  { end, detections = [], rules = currentRuleSet.integrity, timeFactor = 1 }: Circumstances = {},
): readonly IntegrityFinding[] => {
  const session = build(new SessionBuilder()).completed(end);
  const evidence = evidenceOf(session);
  if (evidence === null) throw new Error('This evidence cannot be read.');
  const endedAt = session.at(-1)?.metadata.recordedAt ?? '';
  return findIntegrity({ evidence, tickets: new Map(), endedAt, detections, timeFactor }, rules);
};

/** The details of each finding of one kind. */
export const severitiesOf = (found: readonly IntegrityFinding[], kind: string): readonly string[] =>
  found.filter((finding) => finding.kind === kind).map(({ severity }) => severity);
