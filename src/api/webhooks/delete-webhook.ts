import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { deleteWebhook, webhooksDecider, type WebhooksState } from '../../domain/webhook/decider.js';

export class DeleteWebhook extends Command<Handled<WebhooksState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly webhookId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, webhookId }: DeleteWebhook): Promise<Handled<WebhooksState>> {
    const { expectedVersion } = context;
    const stream = streamName(webhooksDecider.kind, organisationId);
    return this.streams.handle(webhooksDecider, stream, context, (state) =>
      deleteWebhook(state, { webhookId, expectedVersion }),
    );
  }
}
