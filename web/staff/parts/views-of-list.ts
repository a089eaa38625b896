import { useLocation } from 'preact-iso/router';
import type {
  SavedView,
  SavedViewFilter,
  SavedViewList,
  SavedViewPage,
} from '../../../packages/client/src/index.js';
import { savedViewTexts as german } from '../../../src/languages/de/console-saved-views.js';
import {
  savedViewTexts as english,
  type SavedViewTexts,
} from '../../../src/languages/en/console-saved-views.js';
import type { Language } from '../../../src/languages/languages.js';
import { usePlace } from '../console.js';
import { type Loading, useLoading } from './load.js';

// Not in the record of all texts of the console: that is loaded with its first page.
const TEXTS: Readonly<Record<Language, SavedViewTexts>> = { en: english, de: german };

/** The texts of filters and saved views. */
export const useListTexts = (): SavedViewTexts => TEXTS[usePlace().language];

/** A list as its page shows it. */
interface ShownList {
  readonly list: SavedViewList;
  /** The filter by the address. */
  readonly filter: SavedViewFilter;
  /** Whether that leaves anything out. */
  readonly isNarrowed: boolean;
  /** A view's filter in the form that the page uses, so that both can be compared: with or without its defaults. */
  readonly comparable: (filter: SavedViewFilter) => SavedViewFilter;
  /** The page's address with a filter. @param view whose filter it is; `null`: none's */
  readonly addressOf: (filter: SavedViewFilter, view: string | null) => string;
}

/** The views of a list, and which of them the address names. */
export interface SavedViewsOfList extends ShownList {
  readonly views: Loading<SavedViewPage>;
  /** The view that the address names; `undefined`: it names none, or `views` does not have it. */
  readonly shown: SavedView | undefined;
  /** Whether the page's filter differs from that of the view. */
  readonly isChanged: boolean;
  /**
   * Whether the list must not be shown: the searched text of the view was erased, and without it the list would show all
   * people; or the view is not read yet.
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

/** A filter as a text: equal filters have the same text. */
export const textOf = (filter: SavedViewFilter): string =>
  JSON.stringify(Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1)));
