import { diffLines } from 'diff';

/** A line of two texts beside one another, or how many lines of both are left out. */
export type Line =
  { readonly change: 'added' | 'removed' | 'same'; readonly text: string } | { readonly unchanged: number };

/** How many lines before and after a change are shown too. */
const CONTEXT = 3;
/** If a file has more changed lines, none are shown: too many to read before a hand-in. */
const MAX_LINES = 2_000;
/** Time limit of a comparison, which blocks the page; in milliseconds. */
const TIMEOUT_MS = 500;

/** The lines that differ, with some around them. @returns `null`: too many lines, or the comparison took too long */
export const linesOf = (before: string, after: string): readonly Line[] | null => {
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS });
  if (parts === undefined) return null;
  const lines = parts.flatMap(({ value, added, removed }) => {
    const change = added ? 'added' : removed ? 'removed' : 'same';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ change, text }) as const);
  });
  const isNear = lines.map(() => false);
  lines.forEach(({ change }, at) => {
    if (change === 'same') return;
    isNear.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const shown: Line[] = [];
  lines.forEach((line, at) => {
    const last = shown.at(-1);
    if (isNear[at]) shown.push(line);
    else if (last && 'unchanged' in last) shown[shown.length - 1] = { unchanged: last.unchanged + 1 };
    else shown.push({ unchanged: 1 });
  });
  return shown.length > MAX_LINES ? null : shown;
};

/** A file's text; `null`: it is not text in UTF-8. */
export const textOfFile = (content: Uint8Array): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
};

/** How many lines a change of a text adds and removes; 0 of each if the comparison took too long. */
export const lineCounts = (
  before: string,
  after: string,
): { readonly linesAdded: number; readonly linesRemoved: number } => {
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS }) ?? [];
  const count = (of: 'added' | 'removed'): number =>
    parts.reduce((sum, part) => sum + (part[of] ? part.count : 0), 0);
  return { linesAdded: count('added'), linesRemoved: count('removed') };
};
