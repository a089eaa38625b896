import type { Parts } from '../commands.js';
import { CreateShareLinkController, CreateShareLinkHandler } from './create-share-link.js';
import { ShareLinksController } from './list-share-links.js';
import { RevokeShareLinkController, RevokeShareLinkHandler } from './revoke-share-link.js';
import { SharedReportsController } from './shared-report/controller.js';

export const shareLinkParts: Parts = {
  controllers: [
    CreateShareLinkController,
    ShareLinksController,
    RevokeShareLinkController,
    SharedReportsController,
  ],
  providers: [CreateShareLinkHandler, RevokeShareLinkHandler],
};
