import { Controller, Get, Param } from '@nestjs/common';
import { type WebhookDocument, webhooks } from '../../../projections/webhooks.js';
import { deliveries } from '../../../projections/deliveries.js';
import { pageOf } from '../../core/json-schema.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import {
  deliveryRecord,
  deliverySchema,
  type WebhookRecord,
  webhookRecord,
  webhookSchema,
} from './record.js';

@Controller('organisations/:orgId/webhooks')
export class WebhooksController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.list',
    tag: 'Webhooks',
    summary: 'List webhooks',
    list: true,
    success: { status: 200, description: 'Webhooks, oldest first.', schema: pageOf(webhookSchema()) },
  })
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const page = await this.reads.list(webhooks, 'byOrganisation', [organisationId], list, meta);
    return ok({
      items: page.items.map(({ document, id }) => webhookRecord(document, id)),
      nextCursor: page.nextCursor,
    });
  }

  @Get(':id')
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.read',
    tag: 'Webhooks',
    summary: 'Read a webhook',
    success: { status: 200, description: 'The webhook.', schema: webhookSchema(), headers: ['ETag'] },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<WebhookRecord>> {
    const document = await this.found(organisationId, id, meta);
    return ok(webhookRecord(document, id), { version: document.version });
  }

  @Get(':id/deliveries')
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'deliveries.list',
    tag: 'Webhooks',
    summary: 'List a webhook’s deliveries',
    list: true,
    success: { status: 200, description: 'Deliveries, newest first.', schema: pageOf(deliverySchema()) },
    errors: ['not_found'],
  })
  async deliveries(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    await this.found(organisationId, id, meta);
    const page = await this.reads.newest(deliveries, 'byWebhook', [id], list, meta);
    return ok({
      items: page.items.map((found) => deliveryRecord(found.document, found.id)),
      nextCursor: page.nextCursor,
    });
  }

  private async found(organisationId: string, id: string, meta: RequestMeta): Promise<WebhookDocument> {
    const document = (await this.reads.get(webhooks, id, meta))?.document;
    if (document?.organisationId !== organisationId || document.deleted)
      throw notFound('There is no such webhook.');
    return document;
  }
}
