/**
 * An ESLint rule for comments: no word that makes a reader ask who acts. Machinery is not a person, and a mechanism has a
 * name.
 */
const INSTEAD = [
  [/nobody|whoever/, 'the process, the client or the person'],
  [/(?:goes?|going|went|gone) on/, '"continues", or the next step'],
  [/anew|afresh/, '"again", or "a new …"'],
  [/away/, '"unreachable", "disconnected", "removed"'],
  [/stands?|stood|lies/, '"is", "means", "is stored in"'],
  [/tells?|told/, '"shows", "reports", "is notified", "distinguishes"'],
  [/(?:gives?|given|giving|gave) up/, '"abandons", "releases", "ends after the time-out"'],
  [/owes?|owed/, 'what has to be done'],
];
/** The words, each with what to say instead. */
export const WORDS = INSTEAD.map(([words, instead]) => [
  new RegExp(`\\b(?:${words.source})\\b`, 'gi'),
  instead,
]);

export const plainWords = {
  meta: { type: 'suggestion', schema: [] },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments())
        for (const [words, instead] of WORDS)
          for (const { 0: word, index } of comment.value.matchAll(words)) {
            // The value lacks the two signs that open the comment.
            const start = comment.range[0] + 2 + index;
            report({
              loc: {
                start: sourceCode.getLocFromIndex(start),
                end: sourceCode.getLocFromIndex(start + word.length),
              },
              message: `Instead of "${word}" say ${instead}.`,
            });
          }
    },
  }),
};
