import type {
  OrganisationCreated,
  OrganisationSettings,
  OrganisationUpdated,
} from '../src/domain/organisation/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';

/** An organisation and its settings, by its id. */
export interface OrganisationDocument extends OrganisationSettings, ViewDocument {
  readonly organisationId: string;
  readonly version: number;
  readonly createdAt: string;
}

export const organisations: View<OrganisationDocument, OrganisationCreated | OrganisationUpdated> = {
  name: 'organisations',
  version: 2,
  handles: ['organisation.created', 'organisation.updated'],
  documentId: (event) => event.data.organisationId,
  initial: (organisationId) => ({
    organisationId,
    name: '',
    recordAudio: false,
    retentionDays: null,
    version: 0,
    createdAt: '',
  }),
  evolve(document, { type, data, metadata }) {
    const { name, recordAudio, retentionDays } = data;
    return {
      ...document,
      name,
      recordAudio,
      retentionDays,
      version: document.version + 1,
      createdAt: type === 'organisation.created' ? metadata.recordedAt : document.createdAt,
    };
  },
  indexes: {
    byRetention: ({ organisationId, retentionDays }) => (retentionDays === null ? null : [organisationId]),
  },
};
