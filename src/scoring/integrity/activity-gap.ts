import type { EvidenceEvent } from '../evidence.js';
import { isConnection, isQuestion, millisecondsOf } from '../evidence.js';
import { foundAt, ruleOf, severityOf } from './rule.js';

interface Gap {
  readonly from: EvidenceEvent;
  readonly to: EvidenceEvent;
  readonly ms: number;
}

/**
 * Nothing was recorded for long while the candidate was at work. Measured by the service's clock alone: what a client
 * collects and sends later looks like a gap, and its events' own times say so.
 */
export const activityGap = ruleOf('activity_gap', ({ evidence }, rule) =>
  gapsOf(evidence)
    .filter(({ ms }) => ms >= rule.minimumGapMs)
    .map(({ from, to, ms }) =>
      foundAt(from, {
        kind: 'activity_gap',
        ruleVersion: rule.version,
        severity: severityOf(ms, rule.severities),
        magnitude: ms,
        timestamp: from.recordedAt,
        evidence: [from, to],
        inputs: { gapMs: ms, minimumGapMs: rule.minimumGapMs },
      }),
    ),
);

/**
 * Between neighbouring events while the session is `started`: from its start or resumption to its interruption or end,
 * those included. The interview begins with its first connection, by which the way to it is over, and its end is the
 * session's: whoever is in it listens, thinks and speaks without an event, and gaps there have a rule of their own.
 */
function gapsOf(evidence: readonly EvidenceEvent[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let from: EvidenceEvent | null = null;
  for (const to of evidence) {
    if (from !== null) gaps.push({ from, to, ms: recordedBetween(from, to) });
    if (isConnection(to) || isQuestion(to)) break;
    if (begins(to)) from = to;
    else if (from !== null) from = stops(to) ? null : to;
  }
  return gaps;
}

const begins = ({ isActivity, eventType }: EvidenceEvent): boolean =>
  !isActivity && (eventType === 'trial.started' || eventType === 'trial.resumed');

const stops = ({ isActivity, eventType }: EvidenceEvent): boolean =>
  !isActivity && (eventType === 'trial.interrupted' || eventType === 'trial.completed');

const recordedBetween = (from: EvidenceEvent, to: EvidenceEvent): number =>
  (millisecondsOf(to.recordedAt) ?? 0) - (millisecondsOf(from.recordedAt) ?? 0);
