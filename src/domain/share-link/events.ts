import type { EventOf } from '../../core/event.js';
import type { ApplicationRef } from '../candidate/events.js';

/** Stored names and latest shapes of a share link's stream (`share_link-<id>`): the storage contract. */

export interface ShareLinkIds extends ApplicationRef {
  readonly evaluationId: string;
  readonly linkId: string;
}

export type ShareLinkCreated = EventOf<
  'share_link.created',
  ShareLinkIds & {
    /** Lower-case hex SHA-256 of the token. The token itself is made anew from the server's secret and the id. */
    readonly tokenHash: string;
    readonly expiresAt: string;
  }
>;
export type ShareLinkRevoked = EventOf<'share_link.revoked', ShareLinkIds>;
/** The report was shown to whoever holds the link. */
export type ShareLinkViewed = EventOf<'share_link.viewed', ShareLinkIds>;

export type ShareLinkEvent = ShareLinkCreated | ShareLinkRevoked | ShareLinkViewed;
