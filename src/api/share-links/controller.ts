import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { Answer, noContent, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { pageOf } from '../../core/json-schema.js';
import { Reads } from '../reads.js';
import { CreateShareLink } from './create-share-link.js';
import { CreateShareLinkDto } from './create-share-link.dto.js';
import { type NewShareLinkRecord, newShareLinkSchema, shareLinkSchema } from './record.js';
import { RevokeShareLink } from './revoke-share-link.js';
import { StaffShareLinks } from './staff-share-links.js';

@Controller('organisations/:orgId/evaluations/:id/share-links')
export class ShareLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
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
    @Body() body: CreateShareLinkDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<NewShareLinkRecord>> {
    const evaluation = await this.links.settled(organisationId, id, meta);
    const context = this.contexts.forStaff(meta, member);
    const done = settle(
      await this.commands.execute(new CreateShareLink(context, evaluation, body.expiresInDays)),
    );
    const link = present(done.state);
    return new Answer(201, await this.links.created(link, link.ids.linkId), {
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Get()
  @StaffMay('reports.share')
  @Operation({
    id: 'shareLinks.list',
    tag: 'Shared reports',
    summary: 'List the links to a report',
    list: true,
    success: {
      status: 200,
      description: 'Links, oldest first, with those that have expired or were taken back.',
      schema: pageOf(shareLinkSchema()),
    },
    errors: ['not_found', 'erased'],
  })
  async list(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const { evaluationId } = await this.links.evaluation(organisationId, id, meta);
    return ok(await this.links.page(evaluationId, list, meta));
  }

  @Delete(':linkId')
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
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const { evaluationId } = await this.links.settled(organisationId, id, meta);
    if (!(await this.links.has(evaluationId, linkId, meta))) throw notFound('There is no such share link.');
    const context = this.contexts.forStaff(meta, member);
    const done = settle(await this.commands.execute(new RevokeShareLink(context, linkId)));
    return noContent({ consistencyToken: this.reads.tokenOf(done.position) });
  }
}
