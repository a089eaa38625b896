import { textIn } from '../evidence.js';
import { foundAt, ruleOf } from './rule.js';

/** The token at the start carried the invited address, verified. */
export const identityVerified = ruleOf('identity_verified', ({ evidence }, rule) =>
  evidence
    .filter(
      (event) =>
        !event.isActivity && event.eventType === 'trial.started' && textIn(event, 'identity') === 'verified',
    )
    .map((event) =>
      foundAt(event, {
        kind: 'identity_verified',
        ruleVersion: rule.version,
        severity: 'info',
        magnitude: 1,
        inputs: { identity: 'verified' },
      }),
    ),
);
