import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { isStreamName, streamName } from '../../core/stream-name.js';
import {
  deliveryDecider,
  type DeliveryState,
  NO_DELIVERY,
  requestRedelivery,
} from '../../domain/webhook/delivery-decider.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import type { DeliveryIds } from '../../domain/webhook/events.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { accepted, type Answer } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { type DeliveryRecord, deliveryRecord, deliverySchema } from './record.js';

export class RequestRedelivery extends Command<Handled<DeliveryState>> {
  constructor(
    readonly context: RequestContext,
    readonly ids: DeliveryIds,
  ) {
    super();
  }
}

@CommandHandler(RequestRedelivery)
export class RequestRedeliveryHandler implements ICommandHandler<RequestRedelivery> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, ids }: RequestRedelivery): Promise<Handled<DeliveryState>> {
    const { organisationId, deliveryId } = ids;
    // An id from a path may be any text.
    if (!isStreamName(`${deliveryDecider.kind}-${deliveryId}`)) return NO_DELIVERY;
    const stream = streamName(deliveryDecider.kind, deliveryId);
    return this.streams.handle(deliveryDecider, stream, context, async (state) => {
      const own = streamName(webhooksDecider.kind, organisationId);
      const { state: webhooks } = await this.streams.read(webhooksDecider, own);
      return webhookOf(webhooks, ids) ? requestRedelivery(state, ids) : NO_WEBHOOK;
    });
  }
}

@Controller('organisations/:orgId/webhooks/:id/deliveries/:deliveryId/redeliver')
export class RedeliverController {
  constructor(private readonly commands: Commands) {}

  @Post()
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
    @StaffContext() context: RequestContext,
  ): Promise<Answer<DeliveryRecord>> {
    const command = new RequestRedelivery(context, { organisationId, webhookId, deliveryId });
    const { state, consistencyToken } = await this.commands.execute(command);
    return accepted(deliveryRecord(state, deliveryId), { consistencyToken });
  }
}
