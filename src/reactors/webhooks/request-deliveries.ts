import { notices, type NoticesDocument, type PendingNotice } from '../../../projections/notices.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { CommandStreams } from '../../core/handle.js';
import { candidate } from '../../domain/candidate/decider.js';
import { deliveryDecider, requestDelivery } from '../../domain/webhook/delivery-decider.js';
import type { NoticeIds } from '../../domain/webhook/events.js';
import type { Found } from '../../engine/reads/reads.js';

/** The commands of a reactor have ids made of its name: it must never change. */
export const NAME = 'request-deliveries';

/** How many notices are handled at a time: the view lists the others again once these are folded. */
const MAX_NOTICES = 100;

/**
 * The reactor that requests a delivery of each notice to each webhook that was subscribed at the time of its event. A
 * delivery's id is made from the notice's event and the webhook, so that it is requested once.
 */
export const requestDeliveries = (streams: CommandStreams, contexts: CommandContexts) => {
  const request = async (organisationId: string, notice: PendingNotice): Promise<void> => {
    const ids = await idsOf(streams, notice);
    const { causedBy, correlationId, type, timestamp } = notice;
    for (const webhookId of notice.webhookIds) {
      const context = contexts.forReaction(NAME, causedBy, correlationId);
      const deliveryId = context.newRecordId(webhookId);
      const input = { organisationId, webhookId, deliveryId, type, causedBy, timestamp, ids };
      const handled = await streams.handle(deliveryDecider, deliveryId, context, (state) =>
        requestDelivery(state, input),
      );
      if (handled.kind === 'refused') throw new Error(handled.refusal.message);
    }
  };
  return {
    name: NAME,
    view: notices,
    index: 'byOldest',
    act: async ({ document }: Found<NoticesDocument>): Promise<void> => {
      const { organisationId, pending } = document;
      // In parallel, so that they are stored and folded together: the document is large if many notices are pending.
      await Promise.all(pending.slice(0, MAX_NOTICES).map((notice) => request(organisationId, notice)));
    },
  };
};

/**
 * Receivers store applications, not persons: a notice of an erasure has all of the candidate's, which are final then.
 */
const idsOf = async (streams: CommandStreams, { type, ids }: PendingNotice): Promise<NoticeIds> => {
  const { candidateId } = ids;
  if (type !== 'candidate.erased' || typeof candidateId !== 'string') return ids;
  const { state } = await streams.read(candidate, candidateId);
  const applicationIds = (state?.invitations ?? []).map(({ applicationId }) => applicationId);
  return { ...ids, applicationIds };
};
