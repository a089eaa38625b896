/** English words, in lower case. */
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];

/** The edit distance: how many words must be inserted, deleted or replaced to make one text of the other. */
const editDistance = (one: readonly string[], other: readonly string[]): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, word] of one.entries()) {
    const next = [index + 1];
    for (const [at, theirs] of other.entries())
      next.push(
        Math.min((row[at] ?? 0) + (word === theirs ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** Word accuracy: 1 less the word error rate over all pairs, at least 0. At least one word must be said. */
export const wordsRight = (
  pairs: readonly { readonly said: string; readonly understood: string }[],
): number => {
  const errors = pairs.map(({ said, understood }) => editDistance(wordsOf(said), wordsOf(understood)));
  const words = pairs.map(({ said }) => wordsOf(said).length);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return Math.max(0, 1 - sum(errors) / sum(words));
};
