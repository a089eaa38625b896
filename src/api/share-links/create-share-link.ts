import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  MOST_DAYS,
  createShareLink,
  DEFAULT_DAYS,
  shareLink,
  type ShareLinkState,
} from '../../domain/share-link/decider.js';
import type { RequestContext } from '../../core/command-context.js';
import { candidate } from '../../domain/candidate/decider.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { ShareLinkIds } from '../../domain/share-link/events.js';
import { Commands, StaffContext } from '../commands.js';
import { MayBeAbsent, Optional, Strict, Whole } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { Answer } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { ShareTokens, tokenHash } from './tokens.js';
import { type NewShareLinkRecord, newShareLinkSchema } from './record.js';
import { StaffShareLinks } from './staff-share-links.js';

@Strict()
@MayBeAbsent()
export class CreateShareLinkDto {
  @Optional() @Whole({ min: 1, max: MOST_DAYS }) expiresInDays?: number;
}

/** Makes a link to the report of an evaluation that is known to exist. */
export class CreateShareLink extends Command<Handled<ShareLinkState>> {
  constructor(
    readonly context: RequestContext,
    readonly evaluation: Omit<ShareLinkIds, 'linkId'>,
    readonly expiresInDays = DEFAULT_DAYS,
  ) {
    super();
  }
}

@CommandHandler(CreateShareLink)
export class CreateShareLinkHandler implements ICommandHandler<CreateShareLink> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly tokens: ShareTokens,
  ) {}

  async execute({ context, evaluation, expiresInDays }: CreateShareLink): Promise<Handled<ShareLinkState>> {
    const linkId = context.newRecordId('share link');
    const hash = tokenHash(await this.tokens.tokenOf(linkId));
    return this.streams.handle(shareLink, streamName('share_link', linkId), context, async (state) => {
      const { evaluationId, candidateId } = evaluation;
      const [generated, person] = await Promise.all([
        this.streams.read(evaluationDecider, streamName('evaluation', evaluationId)),
        this.streams.read(candidate, streamName('candidate', candidateId)),
      ]);
      const { state: result } = generated;
      return createShareLink(state, {
        ids: { ...evaluation, linkId },
        tokenHash: hash,
        expiresInDays,
        now: context.now,
        erased: person.state?.erased === true || result.status === 'erased',
        ready: result.status !== 'none' && result.readyGeneration !== null,
      });
    });
  }
}

@Controller('organisations/:orgId/evaluations/:id/share-links')
export class CreateShareLinkController {
  constructor(
    private readonly commands: Commands,
    private readonly links: StaffShareLinks,
  ) {}

  @Post()
  @StaffMay('reports.share')
  @Operation({
    id: 'shareLinks.create',
    tag: 'Shared reports',
    summary: 'Share a report',
    description:
      'Makes a link by which anybody can read the scores of the latest ready generation. The token is shown here and nowhere else.',
    success: {
      status: 201,
      description: 'The link, with its token.',
      schema: newShareLinkSchema(),
    },
    errors: ['not_found', 'evaluation_not_ready', 'erased'],
  })
  async create(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Body() { expiresInDays }: CreateShareLinkDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<NewShareLinkRecord>> {
    const evaluation = await this.links.settled(organisationId, id, meta);
    const command = new CreateShareLink(context, evaluation, expiresInDays);
    const { state, consistencyToken } = await this.commands.execute(command);
    return new Answer(201, await this.links.created(state, state.ids.linkId), { consistencyToken });
  }
}
