/** The longest text of a question, in characters. */
export const MAX_QUESTION = 4_000;
/** A name within a question may take so many characters. */
const MAX_NAME = 80;

/** A name from the role as it can be said within a sentence; empty where nothing of it can. */
export const spokenName = (name: string): string =>
  shortened(
    oneLine(
      // Names have no longest length, and only their beginning is said.
      name
        .slice(0, 4 * MAX_NAME)
        .normalize('NFKC')
        .replace(/&/g, ' and ')
        .replace(/\//g, ' or ')
        .replace(/[^\p{L}\p{M}\p{N}\s.,'’+#()-]/gu, ' '),
    ),
    MAX_NAME,
  );

/** White space of every kind becomes one blank; what only steers a terminal or a text's direction goes. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim();

/** At most so many characters, cut between two words where that is possible. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const cut = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  const words = cut.replace(/\s+\S*$/u, '');
  return (words.length > most / 2 ? words : cut).trimEnd();
};

/** Whether a voice can say it in one go: words and ordinary punctuation, no markup, address or code block. */
export const isSpeakable = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  // Letters and digits in any script, and what stands in plain prose.
  /^[\p{L}\p{M}\p{N} .,;:!?'"’‘“”…()/&%+#€$£–—-]*$/u.test(text) &&
  !/https?:|www\.|(^| )#{1,6} |--|\/\//i.test(text);
