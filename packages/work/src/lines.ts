import { createHash } from 'node:crypto';

/** Lines that were added to a file and removed from it. A changed line is one of each. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Edits up to which the shortest difference is sought. Its cost grows with their square. */
const MAX_EDITS = 2_000;
const HASH_BYTES = 6;

/**
 * A short hash of each line: enough to count changed lines, too short to recover their text. The last line break ends a
 * line.
 */
export const lineHashes = (text: string): readonly string[] => {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) =>
    createHash('sha256').update(line).digest().subarray(0, HASH_BYTES).toString('base64'),
  );
};

/**
 * How many lines the shortest difference adds and removes. If two texts have little in common: how many lines of each the
 * other does not have.
 */
export const countChanges = (before: readonly string[], after: readonly string[]): LineCounts => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [beforeEnd, afterEnd] = [before.length, after.length];
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--;
    afterEnd--;
  }
  const [old, now] = [before.slice(start, beforeEnd), after.slice(start, afterEnd)];
  const edits = fewestEdits(old, now);
  if (edits === null) return countByOccurrence(old, now);
  const more = now.length - old.length;
  return { added: (edits + more) / 2, removed: (edits - more) / 2 };
};

/** The length of the shortest edit script, by Myers' greedy algorithm; `null`: more than `MAX_EDITS`. */
const fewestEdits = (old: readonly string[], now: readonly string[]): number | null => {
  const [n, m] = [old.length, now.length];
  if (n === 0 || m === 0) return n + m;
  const most = Math.min(n + m, MAX_EDITS);
  /** The furthest place in `old` that is reached on each diagonal. */
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const at = (diagonal: number): number => furthest[middle + diagonal] ?? 0;
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let x = isDown ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (x < n && x - diagonal < m && old[x] === now[x - diagonal]) x++;
      furthest[middle + diagonal] = x;
      if (x >= n && x - diagonal >= m) return edits;
    }
  }
  return null;
};

const countByOccurrence = (old: readonly string[], now: readonly string[]): LineCounts => {
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let kept = 0;
  for (const line of now) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    kept++;
  }
  return { added: now.length - kept, removed: old.length - kept };
};
