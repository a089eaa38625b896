import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Delete, Param } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { revokeShareLink, shareLink, type ShareLinkState } from '../../domain/share-link/decider.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { Answer, noContent } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { StaffShareLinks } from './staff-share-links.js';

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

@Controller('organisations/:orgId/evaluations/:id/share-links/:linkId')
export class RevokeShareLinkController {
  constructor(
    private readonly commands: Commands,
    private readonly links: StaffShareLinks,
  ) {}

  @Delete()
  @StaffMay('reports.share')
  @Operation({
    id: 'shareLinks.revoke',
    tag: 'Shared reports',
    summary: 'Take a link back',
    description: 'It shows nothing from now on, and stays in the list.',
    success: { status: 204, description: 'It is taken back.' },
    errors: ['not_found', 'conflict', 'erased'],
  })
  async revoke(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Param('linkId') linkId: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const { evaluationId } = await this.links.settled(organisationId, id, meta);
    if (!(await this.links.has(evaluationId, linkId, meta))) throw notFound('There is no such share link.');
    const { consistencyToken } = await this.commands.execute(new RevokeShareLink(context, linkId));
    return noContent({ consistencyToken });
  }
}
