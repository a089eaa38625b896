import type { EvidenceEvent } from '../evidence.js';
import { isConnection, textIn } from '../evidence.js';
import { foundAt, ruleOf } from './rule.js';

/**
 * A token later than the one at the start carried another address than the invited one. Found once for each stretch of
 * such tokens: a client that connects again with the same one says nothing new.
 */
export const identityMismatch = ruleOf('identity_mismatch', ({ evidence }, rule) => {
  const start = evidence.find((event) => !event.isActivity && event.eventType === 'trial.started');
  const later = evidence.filter(isLaterToken);
  return later
    .filter((event, index) => isOther(event) && !isOther(later[index - 1]))
    .map((event) =>
      foundAt(event, {
        kind: 'identity_mismatch',
        ruleVersion: rule.version,
        severity: rule.severity,
        magnitude: 1,
        evidence: start === undefined ? [event] : [start, event],
        inputs: {
          identity: 'mismatch',
          identityAtStart: (start && textIn(start, 'identity')) ?? 'unknown',
          token: isConnection(event) ? 'connection' : 'command',
        },
      }),
    );
});

const isLaterToken = (event: EvidenceEvent): boolean =>
  isConnection(event) || (!event.isActivity && event.eventType === 'trial.identity_checked');

const isOther = (event: EvidenceEvent | undefined): boolean =>
  event !== undefined && textIn(event, 'identity') === 'mismatch';
