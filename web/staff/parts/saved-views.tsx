import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import {
  isAssayError,
  type SavedView,
  type SavedViewFilter,
  type SavedViewList,
  type SavedViewPage,
} from '../../../packages/client/src/index.js';
import { savedViewTexts as german } from '../../../src/languages/de/console-saved-views.js';
import {
  savedViewTexts as english,
  type SavedViewTexts,
} from '../../../src/languages/en/console-saved-views.js';
import type { Language } from '../../../src/languages/languages.js';
import { usePlace } from '../console.js';
import { Conflict } from './conflict.js';
import { Asking, Dialog } from './dialog.js';
import { Field, FormEnd, useCommand, wrongOf } from './form.js';
import { Badge, Empty } from './layout.js';
import { Loaded, type Loading, useLoading } from './load.js';
import { readNewer } from './newer.js';
import { useActors } from './people.js';

// Not in the record of all texts of the console: that is loaded with its first page.
const TEXTS: Readonly<Record<Language, SavedViewTexts>> = { en: english, de: german };

/** The texts of what narrows a list. */
export const useListTexts = (): SavedViewTexts => TEXTS[usePlace().language];

/** The address of one of an organisation's views. */
const ONE = '/organisations/{orgId}/saved-views/{savedViewId}';

/** A list as its page shows it. */
interface ShownList {
  readonly list: SavedViewList;
  /** What it is narrowed to by the address. */
  readonly filter: SavedViewFilter;
  /** Whether that leaves anything out. */
  readonly isNarrowed: boolean;
  /** The filter as the page shows it, by that of a view: without what the page takes for granted, or with it. */
  readonly comparable: (filter: SavedViewFilter) => SavedViewFilter;
  /** The page's address with a filter. @param view whose filter it is; `null`: none's */
  readonly addressOf: (filter: SavedViewFilter, view: string | null) => string;
}

/** The views of a list, and which of them the address names. */
export interface SavedViewsOfList extends ShownList {
  readonly views: Loading<SavedViewPage>;
  readonly shown: SavedView | undefined;
  /** Whether the list shows something else than the view says. */
  readonly isChanged: boolean;
  /**
   * Whether the list must not be shown: what the view searches for is gone, and without it the list would show everybody;
   * or it is not known yet whether that is so.
   */
  readonly hidesList: boolean;
}

/** Reads the saved views of a list, and which of them is open. */
export const useSavedViews = (of: ShownList): SavedViewsOfList => {
  const { client, orgId } = usePlace();
  const { query } = useLocation();
  const { list } = of;
  const views = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/saved-views', { params: { orgId, list, limit: 200 }, signal }),
    [orgId, list],
  );
  const shown = views.data?.items.find(({ id }) => id === query['view']);
  const isUnknown = query['view'] !== undefined && views.data === undefined && views.error === undefined;
  return {
    ...of,
    views,
    shown,
    isChanged: shown !== undefined && textOf(of.comparable(shown.filter)) !== textOf(of.filter),
    hidesList: !of.isNarrowed && (isUnknown || shown?.erased === true),
  };
};

const textOf = (filter: SavedViewFilter): string =>
  JSON.stringify(Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Which view is shown, the others as links, and what can be done with them. */
export const SavedViews = ({ of }: { readonly of: SavedViewsOfList }) => {
  const { may, language } = usePlace();
  const w = TEXTS[language];
  const [isOpen, setOpen] = useState(false);
  const { shown, views, isChanged } = of;
  const isPlain = textOf(of.comparable({})) === textOf(of.filter);
  if (!may('views.save')) return null;
  return (
    <section class="views" aria-label={w.title}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{w.title}</summary>
        {isOpen && (
          <Loaded of={views} what={w.what}>
            {({ items }) => <Links items={items} of={of} chosen={() => setOpen(false)} />}
          </Loaded>
        )}
      </details>
      {shown && (
        <p class="shown-view" role="status">
          <span class="soft">{w.shown}</span> <strong>{shown.name ?? w.erasedName}</strong>{' '}
          {isChanged && !of.hidesList && <Badge tone="warn">{w.changed}</Badge>}
        </p>
      )}
      <div class="actions">
        {shown && (shown.mine || may('views.manage')) && (
          <>
            <ChangeView of={of} view={shown} key={shown.id} />
            <RemoveView of={of} view={shown} />
          </>
        )}
        {!isPlain && (shown === undefined || isChanged) && <SaveView of={of} />}
      </div>
    </section>
  );
};

/** Replaces the list while a view is shown whose search was erased. */
export const ErasedView = ({ of }: { readonly of: SavedViewsOfList }) => {
  const w = useListTexts();
  return of.shown?.erased ? (
    <Empty title={w.erasedTitle}>
      <p class="soft">{w.erasedText}</p>
    </Empty>
  ) : (
    <Loaded of={of.views} what={w.what}>
      {() => null}
    </Loaded>
  );
};

const Links = ({
  items,
  of,
  chosen,
}: {
  readonly items: readonly SavedView[];
  readonly of: SavedViewsOfList;
  readonly chosen: () => void;
}) => {
  const w = useListTexts();
  const actorOf = useActors();
  if (items.length === 0) return <p class="soft">{w.none}</p>;
  const groups = [
    { title: w.own, views: items.filter(({ shared }) => !shared) },
    { title: w.shared, views: items.filter(({ shared }) => shared) },
  ];
  return (
    <div class="columns">
      {groups
        .filter(({ views }) => views.length > 0)
        .map(({ title, views }) => (
          <div key={title}>
            <h2>{title}</h2>
            <ul class="plain-list">
              {views.map((view) => (
                <li key={view.id}>
                  <a
                    href={of.addressOf(view.erased ? {} : view.filter, view.id)}
                    aria-current={view.id === of.shown?.id ? 'true' : undefined}
                    onClick={chosen}
                  >
                    {view.name ?? w.erasedName}
                  </a>
                  {view.shared && (
                    <span class="soft small second">
                      {view.mine ? w.sharedByYou : w.by(actorOf({ type: 'staff', id: view.createdBy }))}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
    </div>
  );
};

/** What can be typed of a view. */
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
  const { language, t } = usePlace();
  const w = TEXTS[language];
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

/** Saves what the list is narrowed to as a further view. */
const SaveView = ({ of }: { readonly of: SavedViewsOfList }) => {
  const { client, t, orgId, language } = usePlace();
  const w = TEXTS[language];
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
        <Dialog title={label} close={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(() => save(draft)).then((done) => done && close());
            }}
          >
            <p>{w.saveText}</p>
            <DraftFields draft={draft} change={setDraft} maySetShared error={command.error} />
            <FormEnd command={command} label={w.save} conflict={{ limit: w.full, other: w.taken }}>
              <button class="button quiet" type="button" onClick={close}>
                {t.form.cancel}
              </button>
            </FormEnd>
          </form>
        </Dialog>
      )}
    </>
  );
};

/** Gives a view another name, shares it, or takes over the filters as they are now. */
const ChangeView = ({ of, view }: { readonly of: SavedViewsOfList; readonly view: SavedView }) => {
  const { client, t, orgId, language } = usePlace();
  const w = TEXTS[language];
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
            <FormEnd command={command} label={w.saveChange} conflict={{ limit: w.full, other: w.taken }}>
              <button class="button quiet" type="button" onClick={close}>
                {t.form.cancel}
              </button>
            </FormEnd>
          </form>
        </Dialog>
      )}
    </>
  );
};

const RemoveView = ({ of, view }: { readonly of: SavedViewsOfList; readonly view: SavedView }) => {
  const { client, orgId, language } = usePlace();
  const w = TEXTS[language];
  const { route } = useLocation();
  return (
    <Asking
      label={w.remove}
      title={w.removeTitle(view.name ?? w.erasedName)}
      text={view.shared ? w.removeShared : w.removeText}
      danger
      work={async () => {
        await client.delete(ONE, { params: { orgId, savedViewId: view.id } });
        route(of.addressOf(of.filter, null), true);
        of.views.set({
          items: (of.views.data?.items ?? []).filter(({ id }) => id !== view.id),
          nextCursor: null,
        });
      }}
    />
  );
};
