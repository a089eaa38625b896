import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isStreamName } from '../../core/event-store.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import {
  deliveryDecider,
  type DeliveryState,
  NO_DELIVERY,
  requestRedelivery,
} from '../../domain/webhook/delivery-decider.js';
import type { DeliveryIds } from '../../domain/webhook/events.js';
import { UseCase } from '../use-case.js';
import { onDelivery } from './on-delivery.js';

/** Sends a notice again, whatever came of former attempts. The delivery's id may be any text. */
export class RedeliverNotice extends UseCase<DeliveryState, DeliveryIds> {
  readonly name = 'RedeliverNotice';
}

@CommandHandler(RedeliverNotice)
export class RedeliverNoticeHandler implements ICommandHandler<RedeliverNotice> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, input }: RedeliverNotice): Promise<Handled<DeliveryState>> {
    if (!isStreamName(`${deliveryDecider.kind}-${input.deliveryId}`)) return NO_DELIVERY;
    return onDelivery(this.streams, context, input, requestRedelivery);
  }
}
