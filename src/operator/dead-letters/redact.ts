import { SEALED } from '../streams/shown-event.js';

/** Shorter ones are parts of any sentence. */
const LEAST = 3;

/**
 * A text in which no text of the personal parts is left. The errors of folds rarely quote what they fold, but whoever
 * shows them to others should not have to read them first.
 */
export const redact = (text: string, personal: readonly unknown[]): string =>
  personal
    .flatMap(textsIn)
    // The longest first: one may be part of another.
    .sort((a, b) => b.length - a.length)
    .reduce((redacted, secret) => redacted.replaceAll(secret, SEALED), text);

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.length < LEAST ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
};
