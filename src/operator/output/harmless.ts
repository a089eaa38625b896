/**
 * What a terminal takes for an order, shows in another order than it stands, or not at all: controls (JSON lets those
 * from U+007F on through), marks of direction and other invisible ones, line separators, halves of surrogate pairs.
 */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const escaped = (found: string): string =>
  found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * Text that somebody else chose, in one line: it cannot move the cursor, begin a line of its own, or look like another
 * text. Escaped as JSON does, so that JSON stays what it is.
 */
export const harmless = (text: string): string => text.replace(UNFIT, escaped);

/** The same of a text whose line ends are ours. */
export const harmlessLines = (text: string): string => text.split('\n').map(harmless).join('\n');

/** Prints a text and a line end: the way out for all that may hold somebody else's words. */
export const print = (text: string, stream: NodeJS.WritableStream = process.stdout): void =>
  void stream.write(`${harmlessLines(text)}\n`);
