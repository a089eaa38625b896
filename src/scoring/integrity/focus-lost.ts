import type { EvidenceEvent } from '../evidence.js';
import { millisecondsOf } from '../evidence.js';
import { foundAt, type IntegrityInput, ruleOf, severityOf } from './rule.js';

interface Hidden {
  readonly from: EvidenceEvent;
  /** `null`: still hidden when the session ended. */
  readonly to: EvidenceEvent | null;
  readonly ms: number;
}

/**
 * The page was out of sight for a while. A page that never came back was so until the session ended: version 1 measured
 * that from the candidate's clock to the service's, later ones by the service's alone.
 */
export const focusLost = ruleOf('focus_lost', (input, rule) =>
  hiddenStretches(input, rule.version === 1 ? 'occurredAt' : 'recordedAt')
    .filter(({ ms }) => ms >= rule.minimumHiddenMs)
    .map(({ from, to, ms }) =>
      foundAt(from, {
        kind: 'focus_lost',
        ruleVersion: rule.version,
        severity: severityOf(ms, rule.severities),
        magnitude: ms,
        evidence: to === null ? [from] : [from, to],
        inputs: {
          hiddenMs: ms,
          minimumHiddenMs: rule.minimumHiddenMs,
          until: to === null ? 'end' : 'page.shown',
        },
      }),
    ),
);

/**
 * From the first `page.hidden` to the next `page.shown`, or to the session's end.
 * @param untilEnd by which of its times a page that never came back was hidden
 */
function hiddenStretches(
  { evidence, endedAt }: IntegrityInput,
  untilEnd: 'occurredAt' | 'recordedAt',
): readonly Hidden[] {
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
  const since = hidden === null ? null : millisecondsOf(hidden.event[untilEnd]);
  const end = millisecondsOf(endedAt);
  if (hidden !== null && since !== null && end !== null)
    stretches.push({ from: hidden.event, to: null, ms: end - since });
  return stretches;
}
