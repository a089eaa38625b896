import type { Delivery } from '../../domain/webhook/delivery-decider.js';
import { signatureOf } from '../../api/webhooks/signature.js';
import type { Message } from './post.js';

/** The same bytes at each attempt, so that a receiver may compare them. */
export const bodyOf = ({ type, timestamp, ids }: Pick<Delivery, 'type' | 'timestamp' | 'ids'>): string =>
  JSON.stringify({ type, timestamp, data: ids });

/**
 * A delivery as it is sent.
 * @param secrets each gives a signature: a receiver needs any one of them
 * @param now of this attempt: receivers refuse what is old
 */
export const messageOf = (
  delivery: Pick<Delivery, 'deliveryId' | 'type' | 'timestamp' | 'ids'>,
  secrets: readonly string[],
  now: Date,
): Message => {
  const body = bodyOf(delivery);
  const seconds = Math.floor(now.getTime() / 1_000);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Assay-Webhooks/1',
      'webhook-id': delivery.deliveryId,
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': secrets
        .map((secret) => signatureOf(secret, delivery.deliveryId, seconds, body))
        .join(' '),
    },
  };
};
