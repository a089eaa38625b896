import { useMemo, useState } from 'preact/hooks';
import { isAssayError } from '../../../packages/client/src/index.js';
import { type Command, useCommand, useUnsaved } from './form.js';
import { type Difference, readNewer, rebased } from './newer.js';

/** How a record is edited. */
export interface Editing<Saved, Draft, Field, Problem> {
  readonly draftOf: (record: Saved) => Draft;
  readonly problemsOf: (draft: Draft) => ReadonlyMap<string, Problem>;
  readonly differencesOf: (mine: Draft, theirs: Draft) => readonly Difference<Field>[];
  /** Sends a draft over the version that it was made of. */
  readonly save: (over: Saved, draft: Draft) => Promise<unknown>;
  readonly read: () => Promise<Saved>;
  /** Called once it is saved. */
  readonly done: () => void;
}

/** What two people saved of one record. */
export interface Both<Field> {
  readonly version: number;
  /** `mine` is `null` in what was not changed here. */
  readonly differences: readonly (Omit<Difference<Field>, 'mine'> & { readonly mine: string | null })[];
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

export interface Editor<Saved, Draft, Field, Problem> {
  /** The version that is edited: the one that was read, or a newer one that was looked at since. */
  readonly base: Saved;
  readonly draft: Draft;
  /** Changes some fields; a function is given the draft as it is by then. */
  readonly change: (part: Partial<Draft> | ((former: Draft) => Partial<Draft>)) => void;
  /** By the path in the body: what keeps the draft from being saved. */
  readonly problems: ReadonlyMap<string, Problem>;
  readonly command: Command;
  /** Somebody else saved meanwhile; `null`: nobody did. */
  readonly both: Both<Field> | null;
  /** Sends the draft if nothing keeps it from being saved. */
  readonly submit: () => void;
}

/**
 * Edits a record: what is typed is checked as it is typed, and saved over the version that was read. If somebody else
 * saved meanwhile both versions are shown and nothing typed is lost. Leaving with unsaved words asks.
 */
export const useEditing = <Saved extends { readonly version: number }, Draft extends object, Field, Problem>(
  began: Saved,
  { draftOf, problemsOf, differencesOf, save, read, done }: Editing<Saved, Draft, Field, Problem>,
): Editor<Saved, Draft, Field, Problem> => {
  const [base, setBase] = useState(began);
  const [draft, setDraft] = useState(() => draftOf(began));
  const [newer, setNewer] = useState<Saved | null>(null);
  const [isSaved, setSaved] = useState(false);
  const command = useCommand();
  const problems = useMemo(() => problemsOf(draft), [draft]);
  const before = draftOf(base);
  const changed = differencesOf(draft, before);
  useUnsaved(changed.length > 0 && !isSaved);
  const send = async (over: Saved, what: Draft): Promise<void> => {
    try {
      await save(over, what);
    } catch (error) {
      if (!isAssayError(error, 'version_mismatch')) throw error;
      setNewer(await readNewer(read, over.version));
      return;
    }
    setSaved(true);
    done();
  };
  const submit = (over: Saved, what: Draft): void => {
    if (problemsOf(what).size === 0) void command.run(() => send(over, what));
  };
  const goOnFrom = (record: Saved, next: Draft): void => {
    setBase(record);
    setDraft(next);
    setNewer(null);
  };
  return {
    ...{ base, draft, problems, command },
    change: (part) =>
      setDraft((former) => ({ ...former, ...(typeof part === 'function' ? part(former) : part) })),
    submit: () => submit(base, draft),
    both: newer && {
      version: newer.version,
      differences: differencesOf(draft, draftOf(newer)).map(({ field, mine, theirs }) => ({
        ...{ field, theirs },
        mine: changed.some((one) => one.field === field) ? mine : null,
      })),
      keepMine: () => {
        const merged = rebased(draft, before, draftOf(newer));
        goOnFrom(newer, merged);
        submit(newer, merged);
      },
      takeTheirs: () => goOnFrom(newer, draftOf(newer)),
    },
  };
};
