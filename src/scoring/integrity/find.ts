import type { IntegrityFinding } from '../../domain/evaluation/events.js';
import { clientFindings } from './client-findings.js';
import { findingOf, type IntegrityInput, type IntegrityRule, type Remark } from './finding.js';
import { sessionFindings } from './session-findings.js';
import { workFindings } from './work-findings.js';

/** Every kind of finding with its rule. */
const FINDINGS = { ...sessionFindings, ...clientFindings, ...workFindings };

/** Kinds of what may have come about with the help of an AI assistant: the role's policy says whether that was allowed. */
const MAY_BE_ASSISTED: ReadonlySet<string> = new Set<keyof typeof FINDINGS>([
  'paste_burst',
  'prompt_copied',
  'generated_text_suspected',
]);

/** Each kind's row of a rule set; a kind without a row is not searched for. */
type Rows = {
  readonly [Kind in keyof typeof FINDINGS]?: Parameters<(typeof FINDINGS)[Kind]>[1];
};

export interface IntegrityRules extends Rows {
  /** Findings of one kind in one evaluation; of more, those of the largest magnitude are kept. */
  readonly maxFindingsPerKind: number;
}

/** The names of all kinds. */
export const FINDING_KINDS = Object.keys(FINDINGS) as readonly (keyof Rows)[];

/** Every rule's findings in the order of the evidence they begin at, then by kind. */
export const findIntegrity = (input: IntegrityInput, rules: IntegrityRules): readonly IntegrityFinding[] =>
  FINDING_KINDS.flatMap((kind) => {
    const row = rules[kind];
    if (row === undefined) return [];
    // A kind's own row, which TypeScript cannot follow through the union of all kinds.
    const rule = FINDINGS[kind] as IntegrityRule<typeof row>;
    return strongest(rule(input, row), rules.maxFindingsPerKind).map((remark) => ({
      sequenceNumber: remark.event.sequenceNumber,
      finding: {
        ...findingOf(kind, row.version, remark),
        ...(input.aiPolicy && MAY_BE_ASSISTED.has(kind) && { aiPolicy: input.aiPolicy }),
      },
    }));
  })
    .sort((a, b) => a.sequenceNumber - b.sequenceNumber || byName(a.finding.kind, b.finding.kind))
    .map(({ finding }) => finding);

/** The `limit` largest remarks, of equals the earliest, so that every session's findings fit one event. */
const strongest = (found: readonly Remark[], limit: number): readonly Remark[] =>
  found.length <= limit
    ? found
    : [...found]
        .sort((a, b) => b.magnitude - a.magnitude || a.event.sequenceNumber - b.event.sequenceNumber)
        .slice(0, limit);

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
