import { INITIAL_SETTINGS, type Logo, type OrganisationSettings } from '../src/domain/organisation/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** An organisation and its settings, by its id. */
export interface OrganisationDocument extends OrganisationSettings, ViewDocument {
  readonly organisationId: string;
  /** `null`: it has none. */
  readonly logo: Logo | null;
  readonly version: number;
  readonly createdAt: string;
}

export const organisations = defineView<OrganisationDocument>()({
  name: 'organisations',
  version: 5,
  documentId: (event) => event.data.organisationId,
  initial: (organisationId) => ({
    organisationId,
    name: '',
    ...INITIAL_SETTINGS,
    logo: null,
    version: 0,
    createdAt: '',
  }),
  every: (document, { data }) => ({
    ...document,
    ...data,
    version: document.version + 1,
  }),
  on: {
    'organisation.created': (document, { metadata }) => ({ ...document, createdAt: metadata.recordedAt }),
    // `every` is called first, and has set all that these change.
    'organisation.updated': (document) => document,
    'organisation.logo_changed': (document) => document,
  },
  keys: { retaining: (one) => (one.retentionDays === null ? null : one.organisationId) },
  indexes: { byRetention: ['retaining'] },
});
