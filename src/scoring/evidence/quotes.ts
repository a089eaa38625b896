import { countIn, type EvidenceEvent, textIn } from './evidence.js';

/** Longest quote in UTF-16 code units: enough to recognise the place, too little to copy a transcript. */
export const MAX_QUOTE_LENGTH = 120;

/** The beginning of a text in a payload, cut between characters; `null` where there is none. */
export function quoteText(event: EvidenceEvent, key: string): string | null {
  const text = textIn(event, key);
  if (text === null || text === '') return null;
  const end = text.length > MAX_QUOTE_LENGTH && isHighSurrogate(text, MAX_QUOTE_LENGTH - 1) ? 1 : 0;
  return text.slice(0, MAX_QUOTE_LENGTH - end);
}

/** `"key":value` of a count in a payload; `null` where there is none. */
export function quoteCount(event: EvidenceEvent, key: string): string | null {
  const value = countIn(event, key);
  return value === null ? null : `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

/** Whether the payload really says so: a quote is part of one of its strings, or `"key":value` of its compact JSON. */
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

const isHighSurrogate = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
};
