import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { isAssayError, type SavedView } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Conflict } from './conflict.js';
import { Asking, Dialog } from './dialog.js';
import { Field, FormEnd, useCommand, wrongOf } from './form.js';
import { readNewer } from './newer.js';
import { removed } from './removed.js';
import { type SavedViewsOfList, textOf, useListTexts } from './views-of-list.js';

/** The address of one of an organisation's views. */
const ONE = '/organisations/{orgId}/saved-views/{savedViewId}';

/** The fields of a view that can be edited. */
interface Draft {
  readonly name: string;
  readonly shared: boolean;
}

const DraftFields = ({
  draft,
  change,
  maySetShared,
  error,
}: {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly maySetShared: boolean;
  readonly error: unknown;
}) => {
  const { t } = usePlace();
  const w = useListTexts();
  return (
    <>
      <Field
        label={w.name}
        hint={w.nameHint}
        required
        autoFocus
        value={draft.name}
        change={(name) => change({ ...draft, name })}
        wrong={wrongOf(error, 'name', t.failure)}
      />
      {maySetShared && (
        <Check label={w.share} checked={draft.shared} change={(shared) => change({ ...draft, shared })} />
      )}
    </>
  );
};

const Check = ({
  label,
  checked,
  change,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly change: (checked: boolean) => void;
}) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
    <span>{label}</span>
  </label>
);

/** Saves the filter of the list as a further view. */
export const SaveView = ({ of }: { readonly of: SavedViewsOfList }) => {
  const { client, orgId } = usePlace();
  const w = useListTexts();
  const { route } = useLocation();
  const label = of.shown ? w.saveAnother : w.save;
  const [draft, setDraft] = useState<Draft | null>(null);
  const command = useCommand();
  const close = (): void => {
    setDraft(null);
    command.forget();
  };
  const save = async ({ name, shared }: Draft): Promise<void> => {
    const { list, filter, views } = of;
    const view = await client.post('/organisations/{orgId}/saved-views', {
      params: { orgId },
      body: { list, name: name.trim(), filter, shared },
    });
    views.set({ items: [...(views.data?.items ?? []), view], nextCursor: null });
    route(of.addressOf(view.filter, view.id), true);
  };
  return (
    <>
      <button class="button quiet" type="button" onClick={() => setDraft({ name: '', shared: false })}>
        {label}
      </button>
      {draft && (
        <Dialog title={label} text={w.saveText} close={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(() => save(draft)).then((done) => done && close());
            }}
          >
            <DraftFields draft={draft} change={setDraft} maySetShared error={command.error} />
            <FormEnd
              command={command}
              label={w.save}
              conflict={{ limit: w.full, other: w.taken }}
              cancel={close}
            />
          </form>
        </Dialog>
      )}
    </>
  );
};

/** Gives a view another name, shares it, or takes over the filters as they are now. */
export const ChangeView = ({ of, view }: { readonly of: SavedViewsOfList; readonly view: SavedView }) => {
  const { client, orgId } = usePlace();
  const w = useListTexts();
  const { route } = useLocation();
  const began = { name: view.name ?? '', shared: view.shared };
  const [draft, setDraft] = useState<(Draft & { readonly version: number }) | null>(null);
  const [takesFilter, setTakesFilter] = useState(true);
  const [theirs, setTheirs] = useState<SavedView | null>(null);
  const command = useCommand();
  const params = { orgId, savedViewId: view.id };
  const close = (): void => {
    setDraft(null);
    setTheirs(null);
    command.forget();
  };
  const show = (changed: SavedView): void => {
    const items = of.views.data?.items ?? [];
    of.views.set({ items: items.map((one) => (one.id === changed.id ? changed : one)), nextCursor: null });
  };
  const save = async ({ name, shared, version }: Draft & { readonly version: number }): Promise<void> => {
    const filter = view.erased || (of.isChanged && takesFilter) ? { filter: of.filter } : {};
    const body = { name: name.trim(), ...(view.mine && { shared }), ...filter };
    const answer = await client
      .patch(ONE, { params, body, ifMatch: version })
      .catch(async (error: unknown) => {
        if (!isAssayError(error, 'version_mismatch')) throw error;
        setTheirs(await readNewer(() => client.get(ONE, { params }), version));
        return null;
      });
    if (answer === null) return;
    show(answer);
    if ('filter' in filter) route(of.addressOf(answer.filter, answer.id), true);
    close();
  };
  const sharedText = (shared: boolean): string => (shared ? w.yes : w.no);
  return (
    <>
      <button
        class="button quiet"
        type="button"
        onClick={() => {
          setTakesFilter(true);
          setDraft({ ...began, version: view.version });
        }}
      >
        {w.change}
      </button>
      {draft && (
        <Dialog title={w.change} close={close}>
          {theirs && (
            <Conflict
              version={theirs.version}
              differences={[
                { name: w.name, mine: draft.name, theirs: theirs.name ?? w.erasedName },
                { name: w.sharedWith, mine: sharedText(draft.shared), theirs: sharedText(theirs.shared) },
                {
                  name: w.filters,
                  mine: of.isChanged && takesFilter ? w.asNow : null,
                  theirs: textOf(theirs.filter) === textOf(view.filter) ? null : w.otherFilters,
                },
              ].flatMap(({ name, mine, theirs: saved }) =>
                saved === null || mine === saved ? [] : [{ name, mine, theirs: saved }],
              )}
              keepMine={() => {
                setDraft({ ...draft, version: theirs.version });
                setTheirs(null);
              }}
              takeTheirs={() => {
                show(theirs);
                setDraft({ name: theirs.name ?? '', shared: theirs.shared, version: theirs.version });
                setTheirs(null);
              }}
            />
          )}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(() => save(draft));
            }}
          >
            <DraftFields
              draft={draft}
              change={(next) => setDraft({ ...draft, ...next })}
              maySetShared={view.mine}
              error={command.error}
            />
            {of.isChanged && !view.erased && (
              <Check label={w.update} checked={takesFilter} change={setTakesFilter} />
            )}
            <FormEnd
              command={command}
              label={w.saveChange}
              conflict={{ limit: w.full, other: w.taken }}
              cancel={close}
            />
          </form>
        </Dialog>
      )}
    </>
  );
};

/** Removes a view once the reader has confirmed it. */
export const RemoveView = ({ of, view }: { readonly of: SavedViewsOfList; readonly view: SavedView }) => {
  const { client, orgId } = usePlace();
  const w = useListTexts();
  const { route } = useLocation();
  return (
    <Asking
      label={w.remove}
      title={w.removeTitle(view.name ?? w.erasedName)}
      text={view.shared ? w.removeShared : w.removeText}
      danger
      work={async () => {
        await removed(client.delete(ONE, { params: { orgId, savedViewId: view.id } }));
        route(of.addressOf(of.filter, null), true);
        of.views.set({
          items: (of.views.data?.items ?? []).filter(({ id }) => id !== view.id),
          nextCursor: null,
        });
      }}
    />
  );
};
