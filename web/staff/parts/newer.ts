const MAX_TRIES = 20;
const PAUSE_MS = 250;

/**
 * Reads a record after a command was refused because another person has saved it since. A read may lag behind that write,
 * so it is repeated until the version differs.
 * @param refused the version that the command named
 * @param pause between two reads
 * @returns the record with another version; after 20 reads the one that was read last
 */
export const readNewer = async <T extends { readonly version: number }>(
  read: () => Promise<T>,
  refused: number,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    const record = await read();
    if (record.version !== refused || tries === MAX_TRIES) return record;
    await pause();
  }
};

/**
 * A three-way merge: the fields of `mine` that differ from `base`, and all others from `theirs`. Saving it undoes none of
 * their changes to fields that were not changed here.
 * @param base the version that both are based on
 */
export const mergeDrafts = <Draft extends object>(mine: Draft, base: Draft, theirs: Draft): Draft => ({
  ...theirs,
  ...(Object.fromEntries(
    Object.entries(mine).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(base[field as keyof Draft]),
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
 * Makes a function that finds the fields in which two drafts differ, in the order of `fields`.
 * @param textOf a field's value as a text for people; equal texts count as equal values
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
