const TRIES = 20;
const PAUSE_MS = 250;

/**
 * Reads a record after a command on a version of it was refused. What somebody else wrote may be read a moment later than
 * it counts, so it reads until the version is another one.
 * @param refused the version that the command named
 * @param pause between two reads
 * @returns the record with another version, or after some seconds as it is
 */
export const readNewer = async <T extends { readonly version: number }>(
  read: () => Promise<T>,
  refused: number,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    const record = await read();
    if (record.version !== refused || tries === TRIES) return record;
    await pause();
  }
};

/**
 * What a form holds after somebody else saved: the fields that were changed here, and every other one as it is saved by
 * now, so that saving takes back nothing of theirs that nobody here touched.
 * @param began what the form began with
 */
export const rebased = <Draft extends object>(mine: Draft, began: Draft, theirs: Draft): Draft => ({
  ...theirs,
  ...(Object.fromEntries(
    Object.entries(mine).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(began[field as keyof Draft]),
    ),
  ) as Partial<Draft>),
});

/** A field in which two drafts differ, with both values as texts. */
export interface Difference<Field> {
  readonly field: Field;
  readonly mine: string;
  readonly theirs: string;
}

/**
 * Tells where drafts differ, in the order of the fields.
 * @param textOf what a field of a draft says, in words that people compare
 */
export const differencesBy =
  <Draft, Field extends keyof Draft>(
    fields: readonly Field[],
    textOf: (draft: Draft, field: Field) => string,
  ) =>
  (mine: Draft, theirs: Draft): readonly Difference<Field>[] =>
    fields
      .map((field) => ({ field, mine: textOf(mine, field), theirs: textOf(theirs, field) }))
      .filter((one) => one.mine !== one.theirs);
