import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { deliveries } from '../../../projections/deliveries.js';
import { webhooks } from '../../../projections/webhooks.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { accepted, type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { pageOf } from '../../core/json-schema.js';
import { Reads } from '../reads.js';
import { type DeliveryRecord, deliveryRecord, deliverySchema } from './record.js';
import { RequestRedelivery } from './redeliver.js';

@Controller('organisations/:orgId/webhooks/:id/deliveries')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
  ) {}

  @Get()
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'deliveries.list',
    tag: 'Webhooks',
    summary: 'List a webhook’s deliveries',
    list: true,
    success: { status: 200, description: 'Deliveries, newest first.', schema: pageOf(deliverySchema()) },
    errors: ['not_found'],
  })
  async list(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const webhook = (await this.reads.get(webhooks, id, meta))?.document;
    if (webhook?.organisationId !== organisationId || webhook.deleted)
      throw notFound('There is no such webhook.');
    const page = await this.reads.newest(deliveries, 'byWebhook', [id], list, meta);
    return ok({
      items: page.items.map((found) => deliveryRecord(found.document, found.id)),
      nextCursor: page.nextCursor,
    });
  }

  @Post(':deliveryId/redeliver')
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'deliveries.redeliver',
    tag: 'Webhooks',
    summary: 'Deliver a notice again',
    description: 'Whatever came of it before, it is sent now, and for three days more until it is taken.',
    success: {
      status: 202,
      description: 'The delivery, which is pending again.',
      schema: deliverySchema(),
    },
    errors: ['not_found', 'conflict'],
  })
  async redeliver(
    @Param('orgId') organisationId: string,
    @Param('id') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<DeliveryRecord>> {
    const context = this.contexts.forStaff(meta, member);
    const ids = { organisationId, webhookId, deliveryId };
    const done = settle(await this.commands.execute(new RequestRedelivery(context, ids)));
    return accepted(deliveryRecord(present(done.state), deliveryId), {
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }
}
