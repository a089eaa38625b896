import type { RequestContext } from '../../core/command-context.js';
import type { Decision } from '../../core/decider.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import { deliveryDecider, type DeliveryState } from '../../domain/webhook/delivery-decider.js';
import type { DeliveryEvent, DeliveryIds } from '../../domain/webhook/events.js';

/** Handles a command on a delivery. Refuses it with `NO_WEBHOOK` unless the delivery's webhook exists. */
export const onDelivery = (
  streams: CommandStreams,
  context: RequestContext,
  ids: DeliveryIds,
  decide: (state: DeliveryState, ids: DeliveryIds) => Decision<DeliveryEvent>,
): Promise<Handled<DeliveryState>> =>
  streams.handle(deliveryDecider, ids.deliveryId, context, async (before) => {
    const { state: webhooks } = await streams.read(webhooksDecider, ids.organisationId);
    return webhookOf(webhooks, ids) ? decide(before, ids) : NO_WEBHOOK;
  });
