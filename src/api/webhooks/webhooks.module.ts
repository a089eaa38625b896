import { Module } from '@nestjs/common';
import { CreateWebhookHandler } from '../../application/webhooks/create-webhook.js';
import { DeleteWebhookHandler } from '../../application/webhooks/delete-webhook.js';
import { RedeliverNoticeHandler } from '../../application/webhooks/redeliver-notice.js';
import { RotateWebhookSecretHandler } from '../../application/webhooks/rotate-webhook-secret.js';
import { WebhookSecrets } from '../../application/webhooks/secrets.js';
import { SendTestNoticeHandler } from '../../application/webhooks/send-test-notice.js';
import { DeliveriesController } from './deliveries.js';
import { WebhooksController } from './webhooks.js';

/** An organisation's webhooks and their deliveries. A reactor makes the deliveries that are due. */
@Module({
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    CreateWebhookHandler,
    RotateWebhookSecretHandler,
    DeleteWebhookHandler,
    SendTestNoticeHandler,
    RedeliverNoticeHandler,
    WebhookSecrets,
  ],
})
export class WebhooksModule {}
