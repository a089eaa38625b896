import { Body, Controller, Delete, Get, Module, Param, Post } from '@nestjs/common';
import type { ListQuery } from '../../application/reads.js';
import { CreateShareLink, CreateShareLinkHandler } from '../../application/share-links/create-share-link.js';
import { RevokeShareLink, RevokeShareLinkHandler } from '../../application/share-links/revoke-share-link.js';
import { ShareTokens } from '../../application/share-links/tokens.js';
import type { RequestContext } from '../../core/command-context.js';
import { DEFAULT_DAYS, MAX_DAYS } from '../../domain/share-link/decider.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Answer, noContent } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { LineWithoutAddress, Nullable, Optional, Whole } from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import { NewShareLinkRecord, ShareLinkRecord, StaffShareLinks } from './links.js';

@Schema('CreateShareLink', { mayBeAbsent: true })
export class CreateShareLinkDto {
  @Optional() @Whole({ min: 1, max: MAX_DAYS }) expiresInDays?: number;
  @Optional()
  @Nullable()
  @LineWithoutAddress(80, 'whoever has the link reads it')
  label?: string | null;
}

const operations = {
  create: {
    id: 'shareLinks.create',
    tag: 'Shared reports',
    summary: 'Share a report',
    example: { expiresInDays: 30, label: 'For the panel on Friday' },
    description:
      'Makes a link by which anybody can read the scores of the latest ready generation. The token is shown here and nowhere else.',
    links: { shareLinkId: '/id', token: '/token' },
    success: {
      status: 201,
      description: 'The link, with its token.',
      schema: NewShareLinkRecord,
    },
    errors: ['evaluation_not_ready', 'erased'],
  },
  list: {
    id: 'shareLinks.list',
    tag: 'Shared reports',
    summary: 'List the links to a report',
    list: true,
    links: { shareLinkId: '/items/0/id' },
    success: answersPage(
      'Links, oldest first, with those that have expired or were taken back.',
      ShareLinkRecord,
    ),
    errors: ['erased'],
  },
  revoke: {
    id: 'shareLinks.revoke',
    tag: 'Shared reports',
    summary: 'Take a link back',
    description: 'It shows nothing from now on, and stays in the list.',
    success: { status: 204, description: 'It is taken back.' },
    errors: ['erased'],
  },
} satisfies Operations;

/** Staff manage the links to a report. Its readers open them at `shared/reports`. */
@Controller('organisations/:orgId/evaluations/:evaluationId/share-links')
export class ShareLinksController {
  constructor(
    private readonly commands: Commands,
    private readonly links: StaffShareLinks,
  ) {}

  @Post()
  @StaffMay('reports.share')
  @Operation(operations.create)
  async create(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @Body() { expiresInDays = DEFAULT_DAYS, label = null }: CreateShareLinkDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<NewShareLinkRecord>> {
    const evaluation = await this.links.reference(organisationId, id, meta);
    const command = new CreateShareLink(context, { evaluation, expiresInDays, label });
    const { state, consistencyToken } = await this.commands.execute(command);
    return new Answer(201, await this.links.created(state), { consistencyToken });
  }

  @Get()
  @StaffMay('reports.share')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const { evaluationId } = await this.links.evaluation(organisationId, id, meta);
    return this.links.page(evaluationId, list, meta);
  }

  @Delete(':shareLinkId')
  @StaffMay('reports.share')
  @Operation(operations.revoke)
  async revoke(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @Param('shareLinkId') linkId: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const { evaluationId } = await this.links.reference(organisationId, id, meta);
    if (!(await this.links.has(evaluationId, linkId, meta))) throw notFound('There is no such share link.');
    const { consistencyToken } = await this.commands.execute(new RevokeShareLink(context, { linkId }));
    return noContent({ consistencyToken });
  }
}

@Module({
  imports: [EvaluationsModule],
  controllers: [ShareLinksController],
  providers: [CreateShareLinkHandler, RevokeShareLinkHandler, ShareTokens, StaffShareLinks],
})
export class ShareLinksModule {}
