import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { revokeShareLink, shareLink, type ShareLinkState } from '../../domain/share-link/decider.js';

/** Takes a link back that is known to exist. */
export class RevokeShareLink extends Command<Handled<ShareLinkState>> {
  constructor(
    readonly context: RequestContext,
    readonly linkId: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeShareLink)
export class RevokeShareLinkHandler implements ICommandHandler<RevokeShareLink> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, linkId }: RevokeShareLink): Promise<Handled<ShareLinkState>> {
    return this.streams.handle(shareLink, streamName('share_link', linkId), context, revokeShareLink);
  }
}
