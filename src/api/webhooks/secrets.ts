import { createHmac, randomBytes } from 'node:crypto';
import type { Vault } from '../../vault/port.js';
import type { Webhook } from '../../domain/webhook/decider.js';
import { type WebhookRecord, webhookRecord } from './record.js';
import { formatSecret } from './signature.js';

const SECRET_NAME = 'webhooks';
const SECRET_BYTES = 32;

/** A webhook with its secret, as creation and rotation alone answer it. */
export interface NewWebhookRecord extends WebhookRecord {
  readonly secret: string;
}

/** Headers of an answer that carries a secret. */
export const NO_STORE = { 'Cache-Control': 'no-store' };

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

  /** The webhook's record with its secret. */
  async shownOf(webhook: Webhook): Promise<NewWebhookRecord> {
    const { webhookId, secret } = webhook;
    return { ...webhookRecord(webhook, webhookId), secret: await this.of(webhookId, secret) };
  }
}
