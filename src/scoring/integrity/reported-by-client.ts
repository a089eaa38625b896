import { foundAt, type IntegrityRule, ruleOf } from './rule.js';

/** A kind that is what a client reports by one type of activity, each time. */
export const reportedByClient = (
  kind: 'network_changed' | 'fullscreen_exited',
  eventType: string,
): IntegrityRule =>
  ruleOf(kind, ({ evidence }, rule) =>
    evidence
      .filter((event) => event.eventType === eventType)
      .map((event, index) =>
        foundAt(event, {
          kind,
          ruleVersion: rule.version,
          severity: rule.severity,
          magnitude: 1,
          inputs: { occurrence: index + 1 },
        }),
      ),
  );
