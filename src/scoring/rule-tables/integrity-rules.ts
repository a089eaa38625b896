import type { Severity } from '../../domain/evaluation/events.js';

/** From this magnitude on (the rule's own unit), this severity. In rising order. */
export type SeveritySteps = readonly { readonly from: number; readonly severity: Severity }[];

interface Versioned {
  readonly version: number;
}

/** A kind whose findings all go equally far. */
interface Flat extends Versioned {
  readonly severity: Severity;
}

/** Every kind of finding with what its rule compares. */
export interface Thresholds {
  readonly identity_verified: Versioned;
  readonly identity_mismatch: Flat;
  readonly response_gap_outlier: Versioned & {
    readonly minimumGaps: number;
    readonly minimumGapMs: number;
    readonly medianFactor: number;
    /** By the gap in milliseconds. */
    readonly severities: SeveritySteps;
  };
  readonly paste_burst: Versioned & {
    readonly minimumNonBlankCharacters: number;
    /** By the characters that are not blank. */
    readonly severities: SeveritySteps;
  };
  readonly prompt_copied: Versioned & {
    /** By the characters that are not blank. */
    readonly severities: SeveritySteps;
  };
  readonly focus_lost: Versioned & {
    readonly minimumHiddenMs: number;
    /** By the time out of sight in milliseconds. */
    readonly severities: SeveritySteps;
  };
  readonly concurrent_connection: Versioned & {
    /** By whether the newer connection names the same device as the one that it took the place of. */
    readonly severities: Readonly<Record<'same' | 'unknown' | 'other', Severity>>;
  };
  readonly network_changed: Flat;
  readonly fullscreen_exited: Flat;
  readonly activity_gap: Versioned & {
    readonly minimumGapMs: number;
    /** By the gap in milliseconds. */
    readonly severities: SeveritySteps;
  };
  readonly generated_text_suspected: Versioned & {
    /** Shorter texts are not shown to a detector: of them it can only guess. */
    readonly minimumNonBlankCharacters: number;
    /** From 0 to 1. */
    readonly minimumLikelihood: number;
    /** By the likelihood. */
    readonly severities: SeveritySteps;
  };
}

export type FindingKind = keyof Thresholds;

/** A rule set without a kind does not run its rule. */
export type IntegrityRules = Readonly<Partial<Thresholds>> & {
  /** Findings of one kind in one evaluation; beyond that the strongest are kept. */
  readonly maxFindingsPerKind: number;
};
