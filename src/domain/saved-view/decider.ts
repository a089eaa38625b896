import {
  accept,
  type Decider,
  type Decision,
  type Problem,
  refuse,
  refuseInvalid,
  staleVersion,
} from '../../core/decider.js';
import type { PersonId } from '../../core/vault/port.js';
import type { MemberRole } from '../organisation/events.js';
import { may, type Permission } from '../organisation/permissions.js';
import {
  savedViewEvent,
  type SavedFilter,
  type SavedList,
  type SavedViewEvent,
  type SavedViewIds,
  type Searches,
} from './events.js';

/** A list's filter under a name. */
export interface SavedView extends SavedViewIds {
  readonly list: SavedList;
  /** `null` once it can no longer be read. */
  readonly name: string | null;
  readonly filter: SavedFilter;
  readonly searches: Searches;
  /** What is searched for; `null`: nothing, or it can no longer be read. */
  readonly text: string | null;
  /**
   * Under whose key the name and the text are. `null` only by the type of events: every view's event names a person.
   */
  readonly person: PersonId | null;
  readonly shared: boolean;
  /** The membership that it belongs to. */
  readonly memberId: string;
  readonly createdAt: string;
  /** The subject of its maker. */
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** An organisation's views, oldest first. */
export type SavedViewsState = readonly SavedView[];

/** Folds the stream `saved_views-<organisationId>`. */
export const savedViewsDecider: Decider<SavedViewsState, SavedViewEvent> = {
  kind: 'saved_views',
  initial: [],
  evolve(state, event) {
    const { recordedAt: updatedAt, actor } = event.metadata;
    const { savedViewId } = event.data;
    if (event.type === 'saved_view.removed') return state.filter((one) => one.savedViewId !== savedViewId);
    const { name = null, text = null } = event.personal ?? {};
    const written = { name, text, person: event.person, updatedAt };
    if (event.type === 'saved_view.created') {
      const made = { createdAt: updatedAt, createdBy: actor.id, version: 1 };
      return [...state, { ...event.data, ...written, ...made }];
    }
    return state.map((one) =>
      one.savedViewId === savedViewId ? { ...one, ...event.data, ...written, version: one.version + 1 } : one,
    );
  },
};

/** The view by that id; `undefined`: there is none any more. */
export const savedViewOf = (state: SavedViewsState, id: string): SavedView | undefined =>
  state.find(({ savedViewId }) => savedViewId === id);

/** The permission that a list is read with. */
const READ_WITH = {
  applications: 'applications.read',
  evaluations: 'evaluations.read',
} as const satisfies Record<SavedList, Permission>;

/** A membership as views are shown to it. */
export interface Viewer {
  readonly memberId: string;
  readonly role: MemberRole;
}

/** Whether a member may know of a view: their own, or a shared one of a list that they may read. */
export const isShownTo = (
  { list, shared, memberId }: Pick<SavedView, 'list' | 'shared' | 'memberId'>,
  viewer: Viewer,
): boolean => (shared || memberId === viewer.memberId) && may(viewer.role, READ_WITH[list]);

/** Maximum number of views of one member, own and shared ones together. */
export const MAX_OWN_VIEWS = 50;
/** Maximum number of shared views of an organisation. */
export const MAX_SHARED_VIEWS = 100;

/** What a list is searched for, as the request gives it. */
export interface Search {
  /** `null`: for the candidate by their id, which is in the filter. */
  readonly text: string | null;
  /** The one candidate who is searched for, by their whole address or by their id; `null`: the text names none. */
  readonly person: PersonId | null;
}

export interface CreateSavedView extends SavedViewIds {
  readonly list: SavedList;
  readonly name: string;
  readonly filter: SavedFilter;
  /** `null`: nothing is searched for. */
  readonly search: Search | null;
  readonly shared: boolean;
  /** The caller's membership as its stream has it; `undefined`: it has ended. */
  readonly viewer: Viewer | undefined;
}

/** Saves a list's filter and search under a name. */
export const createSavedView = (state: SavedViewsState, input: CreateSavedView): Decision<SavedViewEvent> => {
  const { organisationId, savedViewId, list, filter, search, shared, viewer } = input;
  if (!viewer || !may(viewer.role, READ_WITH[list]))
    return refuse<'forbidden'>('forbidden', 'Your role does not let you read this list.');
  const { memberId } = viewer;
  const problems = searchProblems(search);
  if (problems.length > 0) return refuseInvalid(problems);
  if (state.filter((one) => one.memberId === memberId).length >= MAX_OWN_VIEWS)
    return refuse('conflict', `You can have at most ${MAX_OWN_VIEWS} saved views: remove one first.`);
  const name = input.name.trim();
  const taken = takenName(state, { memberId, list, savedViewId }, name) ?? tooManyShared(state, shared);
  if (taken) return taken;
  const shown = { list, filter, searches: searchesOf(search), shared };
  return accept(
    savedViewEvent(
      'saved_view.created',
      { organisationId, savedViewId, memberId, ...shown },
      search?.person ?? (savedViewId as PersonId),
      { name, text: search?.text ?? null },
    ),
  );
};

/** A command about one saved view. */
export interface SavedViewCommand {
  readonly savedViewId: string;
  /** The caller's membership as its stream has it; `undefined`: it has ended. */
  readonly viewer: Viewer | undefined;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/** What is to change: `name`, `narrowed` and `shared` stay as they are if they are left out. */
export interface ChangeSavedView extends SavedViewCommand {
  readonly name?: string;
  /** The new filter and search, which replace the former ones as a whole. */
  readonly narrowed?: { readonly filter: SavedFilter; readonly search: Search | null };
  readonly shared?: boolean;
  /** Whether the key of its name and text is destroyed: a state in memory may still have both. */
  readonly erased: boolean;
}

/** Changes a view's name, its filter or whether it is shared. What is left out stays as it is. */
export const changeSavedView = (state: SavedViewsState, input: ChangeSavedView): Decision<SavedViewEvent> =>
  whenManageable(state, input, (known, viewer) => {
    const view = input.erased ? { ...known, name: null, text: null } : known;
    const { organisationId, savedViewId, memberId, list } = view;
    const { narrowed, shared = view.shared } = input;
    const name = input.name?.trim() ?? view.name;
    if (name === null || (view.name === null && !narrowed)) return SEARCH_ERASED;
    if (view.shared && !shared && memberId !== viewer.memberId)
      return refuse<'forbidden'>(
        'forbidden',
        'Only the member who made a saved view can stop sharing it. You can remove it.',
      );
    const problems = searchProblems(narrowed?.search ?? null);
    if (problems.length > 0) return refuseInvalid(problems);
    const taken = takenName(state, view, name) ?? (view.shared ? null : tooManyShared(state, shared));
    if (taken) return taken;
    const { filter, searches, text, person } = narrowed
      ? {
          filter: narrowed.filter,
          searches: searchesOf(narrowed.search),
          text: narrowed.search?.text ?? null,
          person: narrowed.search?.person ?? (savedViewId as PersonId),
        }
      : view;
    const next = { list, name, filter, searches, text, shared };
    if (person === null || isSame(view, next)) return accept();
    return accept(
      savedViewEvent(
        'saved_view.changed',
        { organisationId, savedViewId, filter, searches, shared },
        person,
        { name, text },
      ),
    );
  });

/** Removes a view for good. */
export const removeSavedView = (state: SavedViewsState, input: SavedViewCommand): Decision<SavedViewEvent> =>
  whenManageable(state, input, ({ organisationId, savedViewId }) =>
    accept(savedViewEvent('saved_view.removed', { organisationId, savedViewId })),
  );

/** Decides about a view that the caller may change, at the expected version. */
const whenManageable = (
  state: SavedViewsState,
  { savedViewId, viewer, expectedVersion }: SavedViewCommand,
  decide: (view: SavedView, viewer: Viewer) => Decision<SavedViewEvent>,
): Decision<SavedViewEvent> => {
  const view = savedViewOf(state, savedViewId);
  if (!view || !viewer || !isShownTo(view, viewer)) return NO_SAVED_VIEW;
  if (view.memberId !== viewer.memberId && !may(viewer.role, 'views.manage'))
    return refuse<'forbidden'>('forbidden', 'Only its maker, owners and admins can change this saved view.');
  return staleVersion(expectedVersion, view.version) ?? decide(view, viewer);
};

/** The refusal if there is no such view, or the caller may not know of it. */
export const NO_SAVED_VIEW = refuse('not_found', 'There is no such saved view.');

const SEARCH_ERASED = refuse<'erased'>(
  'erased',
  'What this saved view searched for was erased with its person: remove it, or give it a name and a filter.',
);

const searchesOf = (search: Search | null): Searches => {
  if (search === null) return 'nothing';
  return search.person === null ? 'text' : 'person';
};

/**
 * An address that is not yet a candidate's is refused: it would be sealed under the view's own key, so the later erasure
 * of a candidate with this address would not remove it.
 */
const searchProblems = (search: Search | null): readonly Problem[] =>
  search?.person !== null || search.text?.normalize('NFKC').includes('@') !== true
    ? []
    : [
        {
          path: 'filter.text',
          rule: 'candidate',
          message:
            'filter.text must be the whole e-mail address of one of your candidates, or a text without "@".',
        },
      ];

const takenName = (
  state: SavedViewsState,
  { memberId, list, savedViewId }: Pick<SavedView, 'memberId' | 'list' | 'savedViewId'>,
  name: string,
) =>
  state.some(
    (one) =>
      one.savedViewId !== savedViewId &&
      one.memberId === memberId &&
      one.list === list &&
      one.name !== null &&
      comparable(one.name) === comparable(name),
  )
    ? refuse('conflict', 'There is a saved view of this list by that name already: choose another name.')
    : null;

const comparable = (name: string): string => name.normalize('NFKC').toLowerCase();

const tooManyShared = (state: SavedViewsState, shared: boolean) =>
  shared && state.filter((one) => one.shared).length >= MAX_SHARED_VIEWS
    ? refuse(
        'conflict',
        `An organisation has at most ${MAX_SHARED_VIEWS} shared views: remove one, or keep this one to yourself.`,
      )
    : null;

type Comparable = Pick<SavedView, 'name' | 'filter' | 'searches' | 'text' | 'shared'>;

const isSame = (one: Comparable, other: Comparable): boolean => textOf(one) === textOf(other);

const textOf = ({ name, filter, searches, text, shared }: Comparable): string =>
  JSON.stringify([name, Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)), searches, text, shared]);
