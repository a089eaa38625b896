import type { RequestContext } from '../../core/command-context.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import {
  deliveryDecider,
  type DeliveryState,
  type requestTest,
} from '../../domain/webhook/delivery-decider.js';
import type { DeliveryIds } from '../../domain/webhook/events.js';

/** Carries out a command on a delivery, which is refused unless the webhook exists. */
export const onDelivery = (
  streams: CommandStreams,
  context: RequestContext,
  ids: DeliveryIds,
  decide: typeof requestTest,
): Promise<Handled<DeliveryState>> =>
  streams.handle(deliveryDecider, ids.deliveryId, context, async (before) => {
    const { state: webhooks } = await streams.read(webhooksDecider, ids.organisationId);
    return webhookOf(webhooks, ids) ? decide(before, ids) : NO_WEBHOOK;
  });
