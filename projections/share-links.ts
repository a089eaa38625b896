import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** A link to a report, by its id. Of its token only the hash is stored. */
export interface ShareLinkDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly evaluationId: string;
  readonly linkId: string;
  readonly tokenHash: string;
  readonly createdAt: string;
  /** Subject of its creator. */
  readonly createdBy: string;
  readonly expiresAt: string;
  /** `null`: it was not revoked. */
  readonly revokedAt: string | null;
  /** How often the report was shown. */
  readonly views: number;
  /** `null`: staff gave it no label, or its candidate is erased. */
  readonly personal: { readonly label: string } | null;
}

export const shareLinks = defineView<ShareLinkDocument>()({
  name: 'share-links',
  version: 2,
  documentId: ({ data }) => data.linkId,
  initial: (linkId) => ({
    organisationId: '',
    candidateId: '',
    evaluationId: '',
    linkId,
    tokenHash: '',
    createdAt: '',
    createdBy: '',
    expiresAt: '',
    revokedAt: null,
    views: 0,
    person: null,
    personal: null,
  }),
  on: {
    'share_link.created'(document, { data, person, personal, metadata: { recordedAt: createdAt, actor } }) {
      const { organisationId, candidateId, evaluationId, tokenHash, expiresAt } = data;
      const created = { organisationId, candidateId, evaluationId, tokenHash, expiresAt };
      return { ...document, ...created, createdAt, createdBy: actor.id, person, personal };
    },
    'share_link.revoked': (document, { metadata }) => ({
      ...document,
      revokedAt: document.revokedAt ?? metadata.recordedAt,
    }),
    'share_link.viewed': (document) => ({ ...document, views: document.views + 1 }),
  },
  indexes: { byEvaluation: ['evaluationId', 'createdAt'], byToken: ['tokenHash'] },
});
