import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { type DeliveryState, requestTest } from '../../domain/webhook/delivery-decider.js';
import { UseCase } from '../use-case.js';
import { onDelivery } from './on-delivery.js';

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
    return onDelivery(this.streams, context, ids, requestTest);
  }
}
