import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { deleteWebhook, webhooksDecider, type WebhooksState } from '../../domain/webhook/decider.js';
import { UseCase } from '../use-case.js';

/** Ends a webhook. Its pending deliveries are dropped. */
export class DeleteWebhook extends UseCase<
  WebhooksState,
  { readonly organisationId: string; readonly webhookId: string }
> {
  readonly name = 'DeleteWebhook';
}

@CommandHandler(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: DeleteWebhook): Promise<Handled<WebhooksState>> {
    const { organisationId, webhookId } = input;
    const { expectedVersion } = context;
    return this.streams.handle(webhooksDecider, organisationId, context, (state) =>
      deleteWebhook(state, { webhookId, expectedVersion }),
    );
  }
}
