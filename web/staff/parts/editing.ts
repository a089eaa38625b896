import { useMemo, useState } from 'preact/hooks';
import { isAssayError } from '../../../packages/client/src/index.js';
import { type Command, showField, useCommand, useUnsaved } from './form.js';
import { type Difference, mergeDrafts, readNewer } from './newer.js';

/** How a record is edited. `Draft` is what the form holds of it, `Field` a part in which two drafts may differ. */
export interface Editing<Saved, Draft, Field, Problem> {
  readonly draftOf: (record: Saved) => Draft;
  /** What keeps a draft from being saved, by the path in the request's body. */
  readonly problemsOf: (draft: Draft) => ReadonlyMap<string, Problem>;
  readonly differencesOf: (mine: Draft, theirs: Draft) => readonly Difference<Field>[];
  /** A field's value in words for people. Default: the text by which two drafts are compared. */
  readonly wordsOf?: (draft: Draft, field: Field) => string;
  /** Saves a draft in place of the version `base`. @throws {AssayError} `version_mismatch`: it is not the newest one */
  readonly save: (base: Saved, draft: Draft) => Promise<Saved>;
  /** Reads the record as it is saved by now. */
  readonly read: () => Promise<Saved>;
  /** Called once the draft is saved, with the new version and the one that it replaced. */
  readonly done: (saved: Saved, former: Saved) => void | Promise<void>;
}

/** Another person has saved the record since it was read: the user chooses a version. */
export interface VersionConflict<Field> {
  /** The version that another person has saved. */
  readonly version: number;
  /** `mine` is `null` in fields that were not changed here. */
  readonly differences: readonly (Omit<Difference<Field>, 'mine'> & { readonly mine: string | null })[];
  /** Saves the changed fields of the draft over the other version. */
  readonly keepMine: () => void;
  /** Discards the draft. */
  readonly takeTheirs: () => void;
}

/** What a form needs to show and change a draft. */
export interface Editor<Saved, Draft, Field, Problem> {
  /** The version that the draft is compared with and saved over: the one that was read or saved last, or one taken over in a conflict. */
  readonly base: Saved;
  /** Replaces `base` by another version; the draft stays. */
  readonly changeBase: (next: (former: Saved) => Saved) => void;
  readonly draft: Draft;
  /** Changes some fields. A function gets the newest draft: use one after a wait. */
  readonly change: (part: Partial<Draft> | ((former: Draft) => Partial<Draft>)) => void;
  /** As `Editing.problemsOf` finds them in the draft. */
  readonly problems: ReadonlyMap<string, Problem>;
  readonly command: Command;
  /** `null`: no other person has saved the record. */
  readonly conflict: VersionConflict<Field> | null;
  /** Saves the draft, unless it has problems: then the first field to correct gets the focus. */
  readonly submit: () => void;
}

/**
 * Edits a record. The draft is checked at each change, and saved over the version that was read. If another person has
 * saved since, the user chooses between the two, and the draft is kept until then. Leaving with unsaved changes asks first.
 */
export const useEditing = <Saved extends { readonly version: number }, Draft extends object, Field, Problem>(
  initial: Saved,
  { draftOf, problemsOf, differencesOf, wordsOf, save, read, done }: Editing<Saved, Draft, Field, Problem>,
): Editor<Saved, Draft, Field, Problem> => {
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(() => draftOf(initial));
  const [newer, setNewer] = useState<Saved | null>(null);
  const command = useCommand();
  const problems = useMemo(() => problemsOf(draft), [draft]);
  const before = draftOf(base);
  const changed = differencesOf(draft, before);
  useUnsaved(changed.length > 0);
  const editFrom = (record: Saved, next: Draft): void => {
    setBase(record);
    setDraft(next);
    setNewer(null);
  };
  const send = async (over: Saved, sent: Draft): Promise<void> => {
    const saved = await save(over, sent).catch(async (error: unknown) => {
      if (!isAssayError(error, 'version_mismatch')) throw error;
      const now = await readNewer(read, over.version);
      // This form saved it before, and the answer was lost: there is nothing to choose from.
      if (differencesOf(sent, draftOf(now)).length === 0) return now;
      setNewer(now);
      return null;
    });
    if (saved === null) return;
    editFrom(saved, draftOf(saved));
    await done(saved, over);
  };
  const submit = (over: Saved, sent: Draft): void => {
    const [first] = problemsOf(sent).keys();
    if (first === undefined) void command.run(() => send(over, sent));
    else showField(first);
  };
  return {
    ...{ base, changeBase: setBase, draft, problems, command },
    change: (part) =>
      setDraft((former) => ({ ...former, ...(typeof part === 'function' ? part(former) : part) })),
    submit: () => submit(base, draft),
    conflict: newer && {
      version: newer.version,
      differences: differencesOf(draft, draftOf(newer)).map(({ field, mine, theirs }) => ({
        ...{ field, theirs: wordsOf?.(draftOf(newer), field) ?? theirs },
        mine: changed.some((one) => one.field === field) ? (wordsOf?.(draft, field) ?? mine) : null,
      })),
      keepMine: () => {
        const next = mergeDrafts(draft, before, draftOf(newer));
        editFrom(newer, next);
        submit(newer, next);
      },
      takeTheirs: () => editFrom(newer, draftOf(newer)),
    },
  };
};
