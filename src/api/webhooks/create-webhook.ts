import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { createWebhook, webhooksDecider, type WebhooksState } from '../../domain/webhook/decider.js';
import { WEBHOOK_TARGETS, type WebhookTargets } from './targets.js';

export class CreateWebhook extends Command<Handled<WebhooksState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly webhookId: string,
    readonly url: string,
    readonly events: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(CreateWebhook)
export class CreateWebhookHandler implements ICommandHandler<CreateWebhook> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(WEBHOOK_TARGETS) private readonly targets: WebhookTargets,
  ) {}

  execute({ context, ...input }: CreateWebhook): Promise<Handled<WebhooksState>> {
    const { allowPrivate } = this.targets;
    const stream = streamName(webhooksDecider.kind, input.organisationId);
    return this.streams.handle(webhooksDecider, stream, context, (state) =>
      createWebhook(state, { ...input, allowPrivate }),
    );
  }
}
