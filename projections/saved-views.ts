import type { SavedFilter, SavedList, Searches } from '../src/domain/saved-view/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** A saved view, by its id. `personal` is `null` once its name and text can no longer be read. */
export interface SavedViewDocument extends ViewDocument {
  readonly organisationId: string;
  readonly memberId: string;
  readonly list: SavedList;
  readonly filter: SavedFilter;
  /** What the list is searched for. `person`: for one candidate, by their address or their id. */
  readonly searches: Searches;
  readonly shared: boolean;
  readonly createdAt: string;
  /** Subject of its maker. */
  readonly createdBy: string;
  readonly updatedAt: string;
  /** 0 once it is removed. */
  readonly version: number;
  /** `text` is what the list is searched for; `null`: nothing. */
  readonly personal: { readonly name: string; readonly text: string | null } | null;
}

/**
 * The readers of a shared view in the index. Any other view has one reader there: its maker, by the membership's id.
 */
export const EVERYBODY = 'everybody';

export const savedViews = defineView<SavedViewDocument>()({
  name: 'saved-views',
  version: 1,
  documentId: ({ data }) => data.savedViewId,
  initial: () => ({
    organisationId: '',
    memberId: '',
    list: 'applications',
    filter: {},
    searches: 'nothing',
    shared: false,
    createdAt: '',
    createdBy: '',
    updatedAt: '',
    version: 0,
    person: null,
    personal: null,
  }),
  on: {
    'saved_view.created'(document, { data, person, personal, metadata: { recordedAt, actor } }) {
      const { organisationId, memberId, list, filter, searches, shared } = data;
      const made = { createdAt: recordedAt, createdBy: actor.id, updatedAt: recordedAt, version: 1 };
      return {
        ...document,
        organisationId,
        memberId,
        list,
        filter,
        searches,
        shared,
        ...made,
        person,
        personal,
      };
    },
    'saved_view.changed'(document, { data, person, personal, metadata: { recordedAt: updatedAt } }) {
      const { filter, searches, shared } = data;
      const version = document.version + 1;
      return { ...document, filter, searches, shared, updatedAt, version, person, personal };
    },
    'saved_view.removed': (document) => ({ ...document, version: 0, personal: null }),
  },
  removed: ({ version }) => version === 0,
  keys: { readers: ({ shared, memberId }) => (shared ? EVERYBODY : memberId) },
  indexes: { byReaders: ['organisationId', 'readers', 'createdAt'] },
});
