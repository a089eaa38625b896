import { countIn } from '../evidence.js';
import type { IntegrityRule } from './rule.js';
import { severityOf } from './rule.js';

/** Much text pasted at once. */
export const pasteBurst: IntegrityRule = ({ evidence }, { paste_burst: rule }) =>
  evidence.flatMap((event) => {
    const characters = event.eventType === 'clipboard.pasted' ? countIn(event, 'nonBlankCharacters') : null;
    if (characters === null || characters < rule.minimumNonBlankCharacters) return [];
    return [
      {
        sequenceNumber: event.sequenceNumber,
        magnitude: characters,
        finding: {
          kind: 'paste_burst',
          severity: severityOf(characters, rule.severities),
          timestamp: event.occurredAt,
          evidenceEventIds: [event.id],
          ruleVersion: rule.version,
          inputs: {
            nonBlankCharacters: characters,
            minimumNonBlankCharacters: rule.minimumNonBlankCharacters,
          },
        },
      },
    ];
  });
