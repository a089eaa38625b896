import type { Detection, IntegrityFinding, Severity, SimilarWork } from '../../domain/evaluation/events.js';
import type { AiPolicy } from '../../languages/en/shapes.js';
import type { EvidenceEvent } from '../evidence/evidence.js';
import type { WorkSetup } from '../evidence/work.js';

/** A whole session, as rules read it: what was done and when, never who did it. */
export interface IntegrityInput {
  readonly evidence: readonly EvidenceEvent[];
  /** The role's tickets, each in the version that the session began with. */
  readonly tickets: WorkSetup;
  /** When the session ended, as recorded. */
  readonly endedAt: string;
  /** The results of a detector of generated text. */
  readonly detections: readonly Detection[];
  /** What hand-ins have in common with those of other candidates. Default: nothing. */
  readonly similar?: readonly SimilarWork[];
  /** The candidate was granted this many times the usual time; thresholds of gaps are multiplied by it. Default 1. */
  readonly timeFactor?: number;
  /** The role's policy on AI; default: none. `findIntegrity` only adds it to the findings that it bears on. */
  readonly aiPolicy?: AiPolicy | null | undefined;
}

/** A kind's row of a rule set: its version, its thresholds and its severities. */
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
  /** Default: the event's own time. */
  readonly at?: Times;
  /** Default: the event alone. */
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

/** The median of whole milliseconds; of an even count the mean of the middle two, rounded half up. */
export const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.floor(((sorted[middle - 1] ?? 0) + upper + 1) / 2);
};

/** The severity of that magnitude in a row's steps; below the first step `info`. */
export const severityOf = (magnitude: number, { severities }: Stepped): Severity =>
  severities.findLast((step) => magnitude >= step.from)?.severity ?? 'info';
