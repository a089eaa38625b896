import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { revokeShareLink, shareLink, type ShareLinkState } from '../../domain/share-link/decider.js';
import { UseCase } from '../use-case.js';

/** Revokes a link: it shows nothing from now on. The caller has checked that the link exists. */
export class RevokeShareLink extends UseCase<ShareLinkState, { readonly linkId: string }> {
  readonly name = 'RevokeShareLink';
}

@CommandHandler(RevokeShareLink)
export class RevokeShareLinkHandler implements ICommandHandler<RevokeShareLink> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RevokeShareLink): Promise<Handled<ShareLinkState>> {
    return this.streams.handle(shareLink, input.linkId, context, revokeShareLink);
  }
}
