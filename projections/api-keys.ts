import type { Scope } from '../src/domain/api-key/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** An API key, by its id. Nothing of its token is here. */
export interface ApiKeyDocument extends ViewDocument {
  readonly organisationId: string;
  readonly memberId: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  /** Subject of its maker. */
  readonly createdBy: string;
  readonly expiresAt: string;
  /** `null`: it was not revoked. */
  readonly revokedAt: string | null;
  /** `null`: it can no longer be read. */
  readonly personal: { readonly name: string } | null;
}

export const apiKeys = defineView<ApiKeyDocument>()({
  name: 'api-keys',
  version: 1,
  documentId: ({ data }) => data.apiKeyId,
  initial: () => ({
    organisationId: '',
    memberId: '',
    scopes: [],
    createdAt: '',
    createdBy: '',
    expiresAt: '',
    revokedAt: null,
    person: null,
    personal: null,
  }),
  on: {
    'api_key.created'(document, { data, person, personal, metadata: { recordedAt: createdAt, actor } }) {
      const { organisationId, memberId, scopes, expiresAt } = data;
      const created = { organisationId, memberId, scopes, expiresAt, createdAt, createdBy: actor.id };
      return { ...document, ...created, person, personal };
    },
    'api_key.revoked': (document, { metadata }) => ({ ...document, revokedAt: metadata.recordedAt }),
  },
  indexes: { byOrganisation: ['organisationId', 'createdAt'] },
});
