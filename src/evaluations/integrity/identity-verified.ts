import { textIn } from '../evidence.js';
import type { IntegrityRule } from './rule.js';

/** The token at the start carried the invited address, verified. */
export const identityVerified: IntegrityRule = ({ evidence }, { identity_verified: rule }) =>
  evidence
    .filter(
      (event) =>
        !event.isActivity && event.eventType === 'trial.started' && textIn(event, 'identity') === 'verified',
    )
    .map((event) => ({
      sequenceNumber: event.sequenceNumber,
      magnitude: 1,
      finding: {
        kind: 'identity_verified',
        severity: 'info',
        timestamp: event.occurredAt,
        evidenceEventIds: [event.id],
        ruleVersion: rule.version,
        inputs: { identity: 'verified' },
      },
    }));
