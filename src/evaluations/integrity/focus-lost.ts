import type { EvidenceEvent } from '../evidence.js';
import { millisecondsOf } from '../evidence.js';
import type { IntegrityInput, IntegrityRule } from './rule.js';
import { severityOf } from './rule.js';

interface Hidden {
  readonly from: EvidenceEvent;
  /** `null`: still hidden when the session ended. */
  readonly to: EvidenceEvent | null;
  readonly ms: number;
}

/** The page was out of sight for a while. */
export const focusLost: IntegrityRule = (input, { focus_lost: rule }) =>
  hiddenStretches(input)
    .filter(({ ms }) => ms >= rule.minimumHiddenMs)
    .map(({ from, to, ms }) => ({
      sequenceNumber: from.sequenceNumber,
      magnitude: ms,
      finding: {
        kind: 'focus_lost',
        severity: severityOf(ms, rule.severities),
        timestamp: from.occurredAt,
        evidenceEventIds: to === null ? [from.id] : [from.id, to.id],
        ruleVersion: rule.version,
        inputs: {
          hiddenMs: ms,
          minimumHiddenMs: rule.minimumHiddenMs,
          until: to === null ? 'end' : 'page.shown',
        },
      },
    }));

/** From the first `page.hidden` to the next `page.shown`, or to the session's end. */
function hiddenStretches({ evidence, endedAt }: IntegrityInput): readonly Hidden[] {
  const stretches: Hidden[] = [];
  let hidden: { readonly event: EvidenceEvent; readonly at: number } | null = null;
  for (const event of evidence) {
    if (event.eventType !== 'page.hidden' && event.eventType !== 'page.shown') continue;
    const at = millisecondsOf(event.occurredAt);
    if (at === null) continue;
    if (event.eventType === 'page.hidden') {
      hidden ??= { event, at };
    } else if (hidden !== null) {
      stretches.push({ from: hidden.event, to: event, ms: at - hidden.at });
      hidden = null;
    }
  }
  const end = millisecondsOf(endedAt);
  if (hidden !== null && end !== null) stretches.push({ from: hidden.event, to: null, ms: end - hidden.at });
  return stretches;
}
