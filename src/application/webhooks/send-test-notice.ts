import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import { deliveryDecider, type DeliveryState, requestTest } from '../../domain/webhook/delivery-decider.js';
import type { DeliveryIds } from '../../domain/webhook/events.js';
import { UseCase } from '../use-case.js';

/** Sends a webhook a notice that is tried once, whatever it subscribes to. */
export class SendTestNotice extends UseCase<
  DeliveryState,
  { readonly organisationId: string; readonly webhookId: string }
> {
  readonly name = 'SendTestNotice';
}

@CommandHandler(SendTestNotice)
export class SendTestNoticeHandler implements ICommandHandler<SendTestNotice> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: SendTestNotice): Promise<Handled<DeliveryState>> {
    const ids = { ...input, deliveryId: context.newRecordId('test delivery') };
    return decideOnDelivery(this.streams, context, ids, requestTest);
  }
}

/** Carries out a decision on a delivery, if its webhook exists: a test notice here, a redelivery in `redeliver-notice.ts`. */
export const decideOnDelivery = (
  streams: CommandStreams,
  context: RequestContext,
  ids: DeliveryIds,
  decide: typeof requestTest,
): Promise<Handled<DeliveryState>> =>
  streams.handle(deliveryDecider, ids.deliveryId, context, async (before) => {
    const { state: webhooks } = await streams.read(webhooksDecider, ids.organisationId);
    return webhookOf(webhooks, ids) ? decide(before, ids) : NO_WEBHOOK;
  });
