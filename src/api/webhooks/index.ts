import type { Parts } from '../commands.js';
import { CreateWebhookController, CreateWebhookHandler } from './create-webhook.js';
import { DeleteWebhookController, DeleteWebhookHandler } from './delete-webhook.js';
import { WebhooksController } from './read-webhooks.js';
import { RedeliverController, RequestRedeliveryHandler } from './redeliver.js';
import { RotateSecretController, RotateSecretHandler } from './rotate-secret.js';
import { SendTestController, SendTestHandler } from './send-test.js';

export const webhookParts: Parts = {
  controllers: [
    CreateWebhookController,
    WebhooksController,
    RotateSecretController,
    DeleteWebhookController,
    SendTestController,
    RedeliverController,
  ],
  providers: [
    CreateWebhookHandler,
    RotateSecretHandler,
    DeleteWebhookHandler,
    SendTestHandler,
    RequestRedeliveryHandler,
  ],
};
