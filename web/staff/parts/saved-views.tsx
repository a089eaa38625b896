import { useState } from 'preact/hooks';
import type { SavedView } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Badge, Empty } from './layout.js';
import { Loaded } from './load.js';
import { useActors } from './people.js';
import { ChangeView, RemoveView, SaveView } from './saved-view-dialogs.js';
import { type SavedViewsOfList, textOf, useListTexts } from './views-of-list.js';

/** The view that is shown, the others as links, and their commands. */
export const SavedViews = ({ of }: { readonly of: SavedViewsOfList }) => {
  const { may } = usePlace();
  const w = useListTexts();
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

/** Replaces the list if the searched text of the view was erased. */
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
