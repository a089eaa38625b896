import { type EventIn, eventType, eventsOf } from '../../core/registry.js';

/**
 * Stored names and latest shapes of an organisation's saved views (`saved_views-<organisation>`): the storage contract.
 * A view is a person of its own in the vault. Its name and what it searches for are sealed under that person's key, which
 * is destroyed with the view. If a view shows one candidate, by their address or their id, its name often is theirs. Then
 * both are sealed under the candidate's key, which is destroyed by their erasure.
 */

export interface SavedViewIds {
  readonly organisationId: string;
  readonly savedViewId: string;
}

/** The lists of which views are saved. */
export const SAVED_LISTS = ['applications', 'evaluations'] as const;
export type SavedList = (typeof SAVED_LISTS)[number];

/** What the list is narrowed and ordered by, by the names of its parameters. Nothing in it is personal. */
export type SavedFilter = Readonly<Record<string, string | number | boolean>>;

/** Whether the list is searched for a text; `person`: for one candidate, by their whole address or their id. */
export type Searches = 'nothing' | 'text' | 'person';

interface Shown {
  readonly filter: SavedFilter;
  readonly searches: Searches;
  /** Whether it is shown to all members who may read the list. */
  readonly shared: boolean;
}

interface Texts {
  readonly name: string;
  /** What the list is searched for; `null`: nothing. */
  readonly text: string | null;
}

export const savedViewEvents = {
  'saved_view.created': eventType<
    SavedViewIds &
      Shown & {
        /** The membership that it belongs to. */
        readonly memberId: string;
        readonly list: SavedList;
      },
    Texts
  >(),
  'saved_view.changed': eventType<SavedViewIds & Shown, Texts>(),
  /** The view's key is destroyed before. */
  'saved_view.removed': eventType<SavedViewIds>(),
};

export type SavedViewEvent = EventIn<typeof savedViewEvents>;
export const savedViewEvent = eventsOf<typeof savedViewEvents>();
