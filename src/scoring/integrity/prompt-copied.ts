import { countIn, textIn } from '../evidence.js';
import { foundAt, ruleOf, severityOf } from './rule.js';

/** Text of the task itself was pasted somewhere. */
export const promptCopied = ruleOf('prompt_copied', ({ evidence }, rule) =>
  evidence
    .filter((event) => event.eventType === 'clipboard.pasted' && textIn(event, 'source') === 'prompt')
    .map((event) => {
      const nonBlankCharacters = countIn(event, 'nonBlankCharacters') ?? 0;
      return foundAt(event, {
        kind: 'prompt_copied',
        ruleVersion: rule.version,
        severity: severityOf(nonBlankCharacters, rule.severities),
        magnitude: nonBlankCharacters,
        inputs: { nonBlankCharacters },
      });
    }),
);
