import type { Detection, IntegrityFinding, Severity } from '../../domain/evaluation/events.js';
import type { EvidenceEvent } from '../evidence/evidence.js';

/** A whole session, as rules read it: what was done and when, never who did it. */
export interface IntegrityInput {
  readonly evidence: readonly EvidenceEvent[];
  /** When the session ended, as recorded. */
  readonly endedAt: string;
  /** The results of a detector of generated text. */
  readonly detections: readonly Detection[];
  /** Gaps may be so many times as long; 1 unless given. */
  readonly timeFactor?: number;
}

/** A kind's row of a rule set. */
export interface Versioned {
  readonly version: number;
}

/** All findings of the kind have one severity. */
export interface Flat extends Versioned {
  readonly severity: Severity;
}

/** The severity depends on the magnitude. */
export interface Stepped extends Versioned {
  /** From this magnitude on, this severity. In rising order. */
  readonly severities: readonly { readonly from: number; readonly severity: Severity }[];
}

/** A rule's finding at one event; `findIntegrity` adds kind and version. */
export interface Remark {
  readonly event: EvidenceEvent;
  readonly severity: Severity;
  /** In the rule's own unit: if there are too many findings of a kind, the largest are kept. */
  readonly magnitude: number;
  /** The event's own time unless given. */
  readonly at?: Times;
  /** The event alone unless given. */
  readonly evidence?: readonly EvidenceEvent[];
  /** The figures and thresholds that the rule compared. */
  readonly inputs: Readonly<Record<string, number | string>>;
}

/** The fields by which a finding's two shapes differ. */
type Times =
  | { readonly timestamp: string }
  | {
      readonly candidateMessageAt: string;
      readonly gapSeconds: number;
      readonly sessionMedianGapSeconds: number;
    };

/** One kind's rule: pure, in the order of the evidence. A finding is advisory, never a verdict. */
export type IntegrityRule<Row extends Versioned> = (input: IntegrityInput, row: Row) => readonly Remark[];

/** The finding that a remark makes. */
export const findingOf = (kind: string, ruleVersion: number, remark: Remark): IntegrityFinding => ({
  kind,
  severity: remark.severity,
  ...(remark.at ?? { timestamp: remark.event.occurredAt }),
  evidenceEventIds: (remark.evidence ?? [remark.event]).map(({ id }) => id),
  ruleVersion,
  inputs: remark.inputs,
});

/** The severity of that magnitude in a row's steps. */
export const severityOf = (magnitude: number, { severities }: Stepped): Severity =>
  severities.findLast((step) => magnitude >= step.from)?.severity ?? 'info';
