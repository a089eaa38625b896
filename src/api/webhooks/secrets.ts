import { createHmac, randomBytes } from 'node:crypto';
import type { Vault } from '../../vault/port.js';
import { formatSecret } from './signature.js';

const SECRET_NAME = 'webhooks';
const SECRET_BYTES = 32;

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
