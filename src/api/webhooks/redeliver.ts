import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { isStreamName, streamName } from '../../core/stream-name.js';
import { deliveryDecider, type DeliveryState, NO_DELIVERY, requestRedelivery } from '../../domain/webhook/delivery-decider.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import type { DeliveryIds } from '../../domain/webhook/events.js';

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
