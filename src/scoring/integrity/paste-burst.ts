import { countIn } from '../evidence.js';
import { foundAt, ruleOf, severityOf } from './rule.js';

/** Much text pasted at once. */
export const pasteBurst = ruleOf('paste_burst', ({ evidence }, rule) =>
  evidence.flatMap((event) => {
    const characters = event.eventType === 'clipboard.pasted' ? countIn(event, 'nonBlankCharacters') : null;
    if (characters === null || characters < rule.minimumNonBlankCharacters) return [];
    return [
      foundAt(event, {
        kind: 'paste_burst',
        ruleVersion: rule.version,
        severity: severityOf(characters, rule.severities),
        magnitude: characters,
        inputs: {
          nonBlankCharacters: characters,
          minimumNonBlankCharacters: rule.minimumNonBlankCharacters,
        },
      }),
    ];
  }),
);
