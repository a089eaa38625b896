import { wellCut } from '../../clients/openai/text.js';
import { countIn, type EvidenceEvent, textIn } from './evidence.js';

/** Longest quote in UTF-16 code units: enough to recognise the place, too little to copy a transcript. */
export const MAX_QUOTE_LENGTH = 120;

/** The beginning of a text in a payload, cut between characters; `null` if there is none. */
export function quoteText(event: EvidenceEvent, key: string): string | null {
  const text = textIn(event, key);
  if (text === null || text === '') return null;
  return text.length <= MAX_QUOTE_LENGTH ? text : wellCut(text, MAX_QUOTE_LENGTH);
}

/** `"key":value` of a count in a payload; `null` if there is none. */
export function quoteCount(event: EvidenceEvent, key: string): string | null {
  const value = countIn(event, key);
  return value === null ? null : `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/** Whether a quote is part of one of the payload's strings, or `"key":value` of its compact JSON. */
export function isTrueQuote(payload: unknown, quote: string): boolean {
  if (quote === '') return false;
  const open: unknown[] = [payload];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && value.includes(quote)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) {
        const name = `${JSON.stringify(key)}:`;
        if (quote.startsWith(name) && JSON.stringify(inner) === quote.slice(name.length)) return true;
      }
      open.push(inner);
    }
  }
  return false;
}
