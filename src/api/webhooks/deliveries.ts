import { Controller, Get, Param, Post } from '@nestjs/common';
import { deliveries } from '../../../projections/deliveries.js';
import type { RequestContext } from '../../core/command-context.js';
import {
  Count,
  Enumeration,
  Instant,
  Named,
  Nullable,
  pick,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import { isStreamName, streamName } from '../../core/stream-name.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import {
  deliveryDecider,
  NO_DELIVERY,
  requestRedelivery,
  requestTest,
} from '../../domain/webhook/delivery-decider.js';
import {
  DELIVERED_TYPES,
  type DeliveredType,
  DELIVERY_FAULTS,
  type DeliveryIds,
} from '../../domain/webhook/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Commands, type Parts, StaffContext } from '../cqrs/commands.js';
import { accepted, type Answer, page } from '../../http/answer.js';
import { refusalToApiError } from '../../http/api-error.js';
import type { ListQuery } from '../../application/reads.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, Operation } from '../../http/openapi/operation.js';
import { Reads } from '../../application/reads.js';
import { foundWebhook, WebhooksController } from './webhooks.js';

/** A delivery as every path returns it. */
const DeliveryRecord = Named(
  'WebhookDelivery',
  {
    id: Uuid,
    // A document has none before its first event, and none is read before it.
    type: Type.Unsafe<DeliveredType | null>(Enumeration('DeliveredType', DELIVERED_TYPES)),
    createdAt: Instant,
    status: Enumeration('DeliveryStatus', ['pending', 'delivered', 'failed']),
    attempts: Count,
    lastAttemptAt: Nullable(Instant),
    lastResponseStatus: Nullable(Type.Integer({ minimum: 100, maximum: 999 })),
    lastFault: Nullable(Enumeration('DeliveryFault', DELIVERY_FAULTS)),
    nextAttemptAt: Nullable(Instant),
  },
  {
    description:
      'Of the last attempt, `lastResponseStatus` is the HTTP status and `lastFault` why there was no answer. `nextAttemptAt` is `null` unless the delivery is pending.',
  },
);
type DeliveryRecord = Static<typeof DeliveryRecord>;

@Controller('organisations/:orgId/webhooks/:webhookId')
export class DeliveriesController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
  ) {}

  @Get('deliveries')
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'deliveries.list',
    tag: 'Webhooks',
    summary: 'List a webhook’s deliveries',
    list: true,
    gives: { deliveryId: '/items/0/id' },
    success: answersPage('Deliveries, newest first.', DeliveryRecord),
  })
  async list(
    @Param('orgId') organisationId: string,
    @Param('webhookId') webhookId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    await foundWebhook(this.reads, organisationId, webhookId, meta);
    const found = await this.reads.newest(deliveries, 'byWebhook', [webhookId], list, meta);
    return page(found, ({ document, id }) => pick(DeliveryRecord, { ...document, id }));
  }

  @Post('test')
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.sendTest',
    tag: 'Webhooks',
    summary: 'Send a test notice',
    description:
      'Sends a notice of the type `webhook.test`, whatever types the webhook subscribes to. It is tried once; the list of deliveries shows the result.',
    gives: { deliveryId: '/id' },
    success: { status: 202, description: 'The pending delivery.', schema: DeliveryRecord },
  })
  async test(
    @Param('orgId') organisationId: string,
    @Param('webhookId') webhookId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<DeliveryRecord>> {
    const ids = { organisationId, webhookId, deliveryId: context.newRecordId('test delivery') };
    return this.pending(ids, context, requestTest);
  }

  @Post('deliveries/:deliveryId/redeliver')
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'deliveries.redeliver',
    tag: 'Webhooks',
    summary: 'Deliver a notice again',
    description:
      'The notice is sent now, whatever the result of former attempts. Attempts go on for three days until one succeeds.',
    success: { status: 202, description: 'The delivery, pending again.', schema: DeliveryRecord },
  })
  async redeliver(
    @Param('orgId') organisationId: string,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<DeliveryRecord>> {
    // An id from a path may be any text.
    if (!isStreamName(`${deliveryDecider.kind}-${deliveryId}`)) throw refusalToApiError(NO_DELIVERY.refusal);
    return this.pending({ organisationId, webhookId, deliveryId }, context, requestRedelivery);
  }

  private async pending(ids: DeliveryIds, context: RequestContext, decide: typeof requestTest) {
    const { organisationId, deliveryId } = ids;
    const { state, consistencyToken } = await this.commands.decide(
      deliveryDecider,
      deliveryId,
      context,
      async (before, streams) => {
        const own = streamName(webhooksDecider.kind, organisationId);
        const { state: webhooks } = await streams.read(webhooksDecider, own);
        return webhookOf(webhooks, ids) ? decide(before, ids) : NO_WEBHOOK;
      },
    );
    return accepted(pick(DeliveryRecord, { ...state, id: deliveryId }), { consistencyToken });
  }
}

export const webhookParts: Parts = {
  controllers: [WebhooksController, DeliveriesController],
};
