import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { createWebhook, webhooksDecider, type WebhooksState } from '../../domain/webhook/decider.js';
import { UseCase } from '../use-case.js';

/** Where notices may go. */
export interface WebhookTargets {
  /** Also into private networks, and without TLS. */
  readonly allowPrivate: boolean;
}

/** Injection token of the process's `WebhookTargets`. */
export const WEBHOOK_TARGETS = Symbol('webhook targets');

/** Sends an organisation's later notices to a URL. */
export class CreateWebhook extends UseCase<
  WebhooksState,
  {
    readonly organisationId: string;
    readonly webhookId: string;
    readonly url: string;
    /** Unchecked: each may be any text. */
    readonly events: readonly string[];
  }
> {
  readonly name = 'CreateWebhook';
}

@CommandHandler(CreateWebhook)
export class CreateWebhookHandler implements ICommandHandler<CreateWebhook> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(WEBHOOK_TARGETS) private readonly targets: WebhookTargets,
  ) {}

  execute({ context, input }: CreateWebhook): Promise<Handled<WebhooksState>> {
    const { allowPrivate } = this.targets;
    return this.streams.handle(webhooksDecider, input.organisationId, context, (state) =>
      createWebhook(state, { ...input, allowPrivate }),
    );
  }
}
