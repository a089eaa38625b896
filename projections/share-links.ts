import type { View, ViewDocument } from '../src/engine/view.js';
import type { ShareLinkEvent } from '../src/domain/share-link/events.js';

/** A link to a report as it stands, by its id. Of its token nothing but the hash is known. */
export interface ShareLinkDocument extends ViewDocument {
  readonly organisationId: string;
  readonly candidateId: string;
  readonly evaluationId: string;
  readonly linkId: string;
  readonly tokenHash: string;
  readonly createdAt: string;
  /** The subject of whoever made it. */
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  /** How often the report was shown. */
  readonly views: number;
}

export const shareLinks: View<ShareLinkDocument, ShareLinkEvent> = {
  name: 'share-links',
  version: 1,
  handles: ['share_link.created', 'share_link.revoked', 'share_link.viewed'],
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
  }),
  evolve(document, event) {
    switch (event.type) {
      case 'share_link.created': {
        const { organisationId, candidateId, evaluationId, tokenHash, expiresAt } = event.data;
        const { recordedAt: createdAt, actor } = event.metadata;
        const created = { organisationId, candidateId, evaluationId, tokenHash, expiresAt };
        return { ...document, ...created, createdAt, createdBy: actor.id };
      }
      case 'share_link.revoked':
        return { ...document, revokedAt: document.revokedAt ?? event.metadata.recordedAt };
      case 'share_link.viewed':
        return { ...document, views: document.views + 1 };
    }
  },
  indexes: {
    byEvaluation: ({ evaluationId, createdAt }) => [evaluationId, createdAt],
    byToken: ({ tokenHash }) => [tokenHash],
  },
};
