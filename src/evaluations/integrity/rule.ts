import type { IntegrityFinding, Severity } from '../events.js';
import type { EvidenceEvent } from '../evidence.js';
import type { IntegrityRules, SeveritySteps } from '../rule-sets.js';

/** What rules look at: a whole session. They read what was done and when, never who did it. */
export interface IntegrityInput {
  readonly evidence: readonly EvidenceEvent[];
  /** When the session ended, as recorded. */
  readonly endedAt: string;
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

export const severityOf = (magnitude: number, steps: SeveritySteps): Severity =>
  steps.findLast((step) => magnitude >= step.from)?.severity ?? 'info';

/** A non-negative number of milliseconds in whole seconds, half up. */
export const toSeconds = (milliseconds: number): number => Math.floor((milliseconds + 500) / 1000);
