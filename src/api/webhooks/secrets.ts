import { createHmac, randomBytes } from 'node:crypto';
import type { Vault } from '../../vault/port.js';

const SECRET_NAME = 'webhooks';
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/**
 * What receivers verify signatures by: derived from the server's own secret, the webhook's id and the secret's number,
 * never stored.
 */
export class WebhookSecrets {
  constructor(private readonly vault: Pick<Vault, 'secret'>) {}

  /** `whsec_…`: the same in every process, for as long as the webhook exists. */
  async of(webhookId: string, number: number): Promise<string> {
    const own = await this.vault.secret(SECRET_NAME, () => randomBytes(SECRET_BYTES));
    return formatSecret(createHmac('sha256', own).update(`${webhookId}.${number}`).digest());
  }
}

/** A secret as receivers know it. @param key 24 to 64 bytes */
const formatSecret = (key: Buffer): string => `${PREFIX}${key.toString('base64')}`;

/**
 * One signature of a message's `webhook-signature`, by the Standard Webhooks specification.
 * @param secret as `formatSecret` makes it
 * @param seconds since 1970, the `webhook-timestamp`
 */
export const signatureOf = (secret: string, id: string, seconds: number, body: string): string => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
};
