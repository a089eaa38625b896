import type { Detection, IntegrityFinding, Severity } from '../../domain/evaluation/events.js';
import type { EvidenceEvent } from '../evidence.js';
import type { FindingKind, IntegrityRules, SeveritySteps, Thresholds } from '../rule-sets.js';

/** What rules look at: a whole session. They read what was done and when, never who did it. */
export interface IntegrityInput {
  readonly evidence: readonly EvidenceEvent[];
  /** When the session ended, as recorded. */
  readonly endedAt: string;
  /** What a detector of generated text said. */
  readonly detections: readonly Detection[];
}

export interface Found {
  readonly finding: IntegrityFinding;
  /** Where the finding stands among a session's findings. */
  readonly sequenceNumber: number;
  /** How far it goes, in the rule's own unit: what is kept where there are too many. */
  readonly magnitude: number;
}

/** One kind of finding: pure, in the order of the evidence. Advisory, never a verdict. */
export type IntegrityRule = (input: IntegrityInput, rules: IntegrityRules) => readonly Found[];

/**
 * A rule that runs where the rule set has its kind.
 * @param find gets the kind's row of the table
 */
export const ruleOf =
  <Kind extends FindingKind>(
    kind: Kind,
    find: (input: IntegrityInput, rule: Thresholds[Kind]) => readonly Found[],
  ): IntegrityRule =>
  (input, rules) => {
    const table: Readonly<Partial<Thresholds>> = rules;
    const rule: Thresholds[Kind] | undefined = table[kind];
    return rule === undefined ? [] : find(input, rule);
  };

/** What a finding of shape A says beside the event that it is about. */
export interface Remark {
  readonly kind: FindingKind;
  readonly ruleVersion: number;
  readonly severity: Severity;
  readonly magnitude: number;
  /** The event's own unless given. */
  readonly timestamp?: string;
  /** The event alone unless given. */
  readonly evidence?: readonly EvidenceEvent[];
  readonly inputs: Readonly<Record<string, number | string>>;
}

/** A finding of shape A about one event. */
export const foundAt = (event: EvidenceEvent, remark: Remark): Found => ({
  sequenceNumber: event.sequenceNumber,
  magnitude: remark.magnitude,
  finding: {
    kind: remark.kind,
    severity: remark.severity,
    timestamp: remark.timestamp ?? event.occurredAt,
    evidenceEventIds: (remark.evidence ?? [event]).map(({ id }) => id),
    ruleVersion: remark.ruleVersion,
    inputs: remark.inputs,
  },
});

export const severityOf = (magnitude: number, steps: SeveritySteps): Severity =>
  steps.findLast((step) => magnitude >= step.from)?.severity ?? 'info';

/** A non-negative number of milliseconds in whole seconds, half up. */
export const toSeconds = (milliseconds: number): number => Math.floor((milliseconds + 500) / 1000);
