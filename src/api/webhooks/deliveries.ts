import { Controller, Get, Param, Post } from '@nestjs/common';
import { deliveries } from '../../../projections/deliveries.js';
import type { ListQuery } from '../../application/reads.js';
import { Reads } from '../../application/reads.js';
import { RedeliverNotice } from '../../application/webhooks/redeliver-notice.js';
import { SendTestNotice } from '../../application/webhooks/send-test-notice.js';
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
import { DELIVERED_TYPES, type DeliveredType, DELIVERY_FAULTS } from '../../domain/webhook/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { accepted, type Answer, page } from '../../http/answer.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { foundWebhook } from './webhooks.js';

/** A delivery as every path returns it. */
const DeliveryRecord = Named(
  'WebhookDelivery',
  {
    id: Uuid,
    // `null` only until a document's first event, and no document is read before that.
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

const operations = {
  list: {
    id: 'deliveries.list',
    tag: 'Webhooks',
    summary: 'List a webhook’s deliveries',
    list: true,
    links: { deliveryId: '/items/0/id' },
    success: answersPage('Deliveries, newest first.', DeliveryRecord),
  },
  test: {
    id: 'webhooks.sendTest',
    tag: 'Webhooks',
    summary: 'Send a test notice',
    description:
      'Sends a notice of the type `webhook.test`, whatever types the webhook subscribes to. It is tried once; the list of deliveries shows the result.',
    links: { deliveryId: '/id' },
    success: { status: 202, description: 'The pending delivery.', schema: DeliveryRecord },
  },
  redeliver: {
    id: 'deliveries.redeliver',
    tag: 'Webhooks',
    summary: 'Deliver a notice again',
    description:
      'The notice is sent now, whatever the result of former attempts. Attempts go on for three days until one succeeds.',
    success: { status: 202, description: 'The delivery, pending again.', schema: DeliveryRecord },
  },
} satisfies Operations;

@Controller('organisations/:orgId/webhooks/:webhookId')
export class DeliveriesController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
  ) {}

  @Get('deliveries')
  @StaffMay('webhooks.manage')
  @Operation(operations.list)
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
  @Operation(operations.test)
  async test(
    @Param('orgId') organisationId: string,
    @Param('webhookId') webhookId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<DeliveryRecord>> {
    return this.pending(new SendTestNotice(context, { organisationId, webhookId }));
  }

  @Post('deliveries/:deliveryId/redeliver')
  @StaffMay('webhooks.manage')
  @Operation(operations.redeliver)
  async redeliver(
    @Param('orgId') organisationId: string,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<DeliveryRecord>> {
    return this.pending(new RedeliverNotice(context, { organisationId, webhookId, deliveryId }));
  }

  /** Carries out a command, and answers with the delivery that it asks for. */
  private async pending(command: SendTestNotice | RedeliverNotice): Promise<Answer<DeliveryRecord>> {
    const { state, consistencyToken } = await this.commands.execute(command);
    return accepted(pick(DeliveryRecord, { ...state, id: state.deliveryId }), { consistencyToken });
  }
}
