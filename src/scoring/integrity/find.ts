import type { IntegrityFinding } from '../../domain/evaluation/events.js';
import type { IntegrityRules } from '../rule-sets.js';
import { activityGap } from './activity-gap.js';
import { concurrentConnection } from './concurrent-connection.js';
import { focusLost } from './focus-lost.js';
import { fullscreenExited } from './fullscreen-exited.js';
import { generatedTextSuspected } from './generated-text-suspected.js';
import { identityMismatch } from './identity-mismatch.js';
import { identityVerified } from './identity-verified.js';
import { networkChanged } from './network-changed.js';
import { pasteBurst } from './paste-burst.js';
import { promptCopied } from './prompt-copied.js';
import { responseGapOutlier } from './response-gap-outlier.js';
import type { Found, IntegrityInput, IntegrityRule } from './rule.js';

const all: readonly IntegrityRule[] = [
  identityVerified,
  identityMismatch,
  responseGapOutlier,
  pasteBurst,
  promptCopied,
  focusLost,
  concurrentConnection,
  networkChanged,
  fullscreenExited,
  activityGap,
  generatedTextSuspected,
];

/** Every rule's findings in the order of the evidence they begin at, then by kind. */
export const findIntegrity = (input: IntegrityInput, rules: IntegrityRules): readonly IntegrityFinding[] =>
  all
    .flatMap((rule) => strongest(rule(input, rules), rules.maxFindingsPerKind))
    .sort((a, b) => a.sequenceNumber - b.sequenceNumber || byName(a.finding.kind, b.finding.kind))
    .map(({ finding }) => finding);

/** At most `limit`, those that go furthest, the earlier of equals: a session of many must still fit one event. */
function strongest(found: readonly Found[], limit: number): readonly Found[] {
  if (found.length <= limit) return found;
  return [...found]
    .sort((a, b) => b.magnitude - a.magnitude || a.sequenceNumber - b.sequenceNumber)
    .slice(0, limit);
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
