import { type EventIn, eventType, eventsOf } from '../../core/registry.js';
import type { ApplicationRef } from '../candidate/events.js';

/** Stored names and latest shapes of a share link's stream (`share_link-<id>`): the storage contract. */

export interface ShareLinkIds extends ApplicationRef {
  readonly evaluationId: string;
  readonly linkId: string;
}

export const shareLinkEvents = {
  'share_link.created': eventType<
    ShareLinkIds & {
      /** Lower-case hex SHA-256 of the token. The token itself is derived from the server's secret and the id. */
      readonly tokenHash: string;
      readonly expiresAt: string;
    },
    /** What staff call the link. It may name people, so an erasure removes it. */
    { readonly label: string }
  >(),
  'share_link.revoked': eventType<ShareLinkIds>(),
  /** The report was shown to a holder of the link. */
  'share_link.viewed': eventType<ShareLinkIds>(),
};

export type ShareLinkEvent = EventIn<typeof shareLinkEvents>;
export const shareLinkEvent = eventsOf<typeof shareLinkEvents>();
