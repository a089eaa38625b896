import type { Parts } from '../commands.js';
import { CreateShareLinkController, CreateShareLinkHandler } from './create-share-link.js';
import { ShareLinksController } from './staff-share-links.js';
import { RevokeShareLinkController, RevokeShareLinkHandler } from './revoke-share-link.js';

export const shareLinkParts: Parts = {
  controllers: [CreateShareLinkController, ShareLinksController, RevokeShareLinkController],
  providers: [CreateShareLinkHandler, RevokeShareLinkHandler],
};
