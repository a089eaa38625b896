import type { HandInTexts } from '../../src/languages/en/hand-in.js';

const KB = 1024;

/** A size for people, such as "1.5 MB". */
export const sizeOf = (t: Pick<HandInTexts, 'size'>, language: string, bytes: number): string => {
  const [number, unit] =
    bytes < KB
      ? ([bytes, 'B'] as const)
      : bytes < KB * KB
        ? ([bytes / KB, 'KB'] as const)
        : ([bytes / KB / KB, 'MB'] as const);
  return t.size(number.toLocaleString(language, { maximumFractionDigits: number < 10 ? 1 : 0 }), unit);
};

/** The highest count: the service counts no further. */
const MAX_COUNTED = 100_000;

/** A count in the reader's language, with a plus sign if there may be more. */
export const countText = (count: number, language: string): string =>
  count.toLocaleString(language) + (count >= MAX_COUNTED ? '+' : '');
