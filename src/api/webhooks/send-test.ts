import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { deliveryDecider, type DeliveryState, requestTest } from '../../domain/webhook/delivery-decider.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import type { DeliveryIds } from '../../domain/webhook/events.js';

export class SendTest extends Command<Handled<DeliveryState>> {
  constructor(
    readonly context: RequestContext,
    readonly ids: DeliveryIds,
  ) {
    super();
  }
}

@CommandHandler(SendTest)
export class SendTestHandler implements ICommandHandler<SendTest> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, ids }: SendTest): Promise<Handled<DeliveryState>> {
    const stream = streamName(deliveryDecider.kind, ids.deliveryId);
    return this.streams.handle(deliveryDecider, stream, context, async (state) => {
      const own = streamName(webhooksDecider.kind, ids.organisationId);
      const { state: webhooks } = await this.streams.read(webhooksDecider, own);
      return webhookOf(webhooks, ids) ? requestTest(state, ids) : NO_WEBHOOK;
    });
  }
}
