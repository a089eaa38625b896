import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { rotateSecret, webhooksDecider, type WebhooksState } from '../../domain/webhook/decider.js';
import { UseCase } from '../use-case.js';

/**
 * Gives a webhook its next secret, which is derived from the number that the event stores. For `formerValidHours`,
 * notices are also signed with the former secret.
 */
export class RotateWebhookSecret extends UseCase<
  WebhooksState,
  {
    readonly organisationId: string;
    readonly webhookId: string;
    /** 0 ends every former secret at once. */
    readonly formerValidHours: number;
  }
> {
  readonly name = 'RotateWebhookSecret';
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RotateWebhookSecret): Promise<Handled<WebhooksState>> {
    const { organisationId, webhookId, formerValidHours } = input;
    const { expectedVersion, now } = context;
    return this.streams.handle(webhooksDecider, organisationId, context, (state) =>
      rotateSecret(state, { webhookId, formerValidHours, expectedVersion, now }),
    );
  }
}
