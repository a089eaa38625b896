import { Inject, Injectable } from '@nestjs/common';
import { createHmac, randomBytes } from 'node:crypto';
import type { Delivery } from '../../domain/webhook/delivery-decider.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';

const SECRET_NAME = 'webhooks';
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/**
 * What receivers verify signatures by: derived from the server's own secret, the webhook's id and the secret's number,
 * never stored.
 */
@Injectable()
export class WebhookSecrets {
  constructor(@Inject(VAULT) private readonly vault: Pick<Vault, 'secret'>) {}

  /** `whsec_…`: the same in every process, for as long as the webhook exists. */
  async secretOf(webhookId: string, number: number): Promise<string> {
    const own = await this.vault.secret(SECRET_NAME, () => randomBytes(SECRET_BYTES));
    return formatSecret(createHmac('sha256', own).update(`${webhookId}.${number}`).digest());
  }
}

/** A secret as receivers get it. */
const formatSecret = (key: Buffer): string => `${PREFIX}${key.toString('base64')}`;

/**
 * One signature of a message's `webhook-signature`, by the Standard Webhooks specification.
 * @param secret `whsec_…`
 * @param id the message's `webhook-id`
 * @param seconds since 1970, the `webhook-timestamp`
 */
export const signatureOf = (secret: string, id: string, seconds: number, body: string): string => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
};

/** The HTTP request of a delivery. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The HTTP request of one attempt of a delivery. Its body has the same bytes at each attempt, so that a receiver may
 * compare them.
 * @param secrets newest first; one signature for each, of which a receiver needs one
 * @param now of this attempt: receivers refuse old timestamps
 */
export const messageOf = (
  { deliveryId, type, timestamp, ids }: Pick<Delivery, 'deliveryId' | 'type' | 'timestamp' | 'ids'>,
  secrets: readonly string[],
  now: Date,
): Message => {
  const body = JSON.stringify({ type, timestamp, data: ids });
  const seconds = Math.floor(now.getTime() / 1_000);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Assay-Webhooks/1',
      'webhook-id': deliveryId,
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': secrets.map((secret) => signatureOf(secret, deliveryId, seconds, body)).join(' '),
    },
  };
};
