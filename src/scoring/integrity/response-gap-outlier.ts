import type { EvidenceEvent } from '../evidence.js';
import { countIn, isAnswer, isQuestion, millisecondsOf } from '../evidence.js';
import { ruleOf, severityOf, toSeconds } from './rule.js';

/** The time from one of a candidate's messages to the next, or from the interview's question to its answer. */
interface Gap {
  readonly from: EvidenceEvent;
  readonly to: EvidenceEvent;
  readonly ms: number;
}

/** A message or an answer that came much later after what it follows than this session's messages and answers do. */
export const responseGapOutlier = ruleOf('response_gap_outlier', ({ evidence }, rule) => {
  const gaps = gapsOf(evidence);
  if (gaps.length < rule.minimumGaps) return [];
  const medianMs = medianOf(gaps.map((gap) => gap.ms));
  return gaps
    .filter(({ ms }) => ms >= rule.minimumGapMs && ms >= rule.medianFactor * medianMs)
    .map(({ from, to, ms }) => ({
      sequenceNumber: to.sequenceNumber,
      magnitude: ms,
      finding: {
        kind: 'response_gap_outlier',
        severity: severityOf(ms, rule.severities),
        candidateMessageAt: to.occurredAt,
        gapSeconds: toSeconds(ms),
        sessionMedianGapSeconds: toSeconds(medianMs),
        evidenceEventIds: [from.id, to.id],
        ruleVersion: rule.version,
        inputs: {
          gapMs: ms,
          medianMs,
          gaps: gaps.length,
          minimumGaps: rule.minimumGaps,
          minimumGapMs: rule.minimumGapMs,
          medianFactor: rule.medianFactor,
        },
      },
    }));
});

/**
 * In the order of the session; the first message has none, and a clock that went back makes none below 0. That of an
 * answer was measured as it came; a late one, or one whose start was not seen, has none.
 */
function gapsOf(evidence: readonly EvidenceEvent[]): readonly Gap[] {
  const gaps: Gap[] = [];
  const questions = new Map<number | null, EvidenceEvent>();
  let former: { readonly event: EvidenceEvent; readonly at: number } | null = null;
  for (const event of evidence) {
    if (isQuestion(event)) questions.set(countIn(event, 'turn'), event);
    if (isAnswer(event)) {
      const from = questions.get(countIn(event, 'turn'));
      const ms = countIn(event, 'gapMs');
      if (from && ms !== null) gaps.push({ from, to: event, ms });
    }
    const at = event.eventType === 'message.sent' ? millisecondsOf(event.occurredAt) : null;
    if (at === null) continue;
    if (former !== null) gaps.push({ from: former.event, to: event, ms: Math.max(0, at - former.at) });
    former = { event, at };
  }
  return gaps;
}

/** Of whole milliseconds; that of an even count is the mean of the middle two, half up. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.floor(((sorted[middle - 1] ?? 0) + upper + 1) / 2);
}
