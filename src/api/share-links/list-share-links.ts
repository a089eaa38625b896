import { Controller, Get, Param } from '@nestjs/common';
import { pageOf } from '../../core/json-schema.js';
import { StaffMay } from '../access/access.decorator.js';
import { Answer, ok } from '../http/answer.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { shareLinkSchema } from './record.js';
import { StaffShareLinks } from './staff-share-links.js';

@Controller('organisations/:orgId/evaluations/:id/share-links')
export class ShareLinksController {
  constructor(private readonly links: StaffShareLinks) {}

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
}
