import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  FORMER_SECRET_HOURS,
  rotateSecret,
  webhooksDecider,
  type WebhooksState,
} from '../../domain/webhook/decider.js';

export class RotateSecret extends Command<Handled<WebhooksState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly webhookId: string,
    /** In hours. */
    readonly formerValidHours: number = FORMER_SECRET_HOURS,
  ) {
    super();
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, ...input }: RotateSecret): Promise<Handled<WebhooksState>> {
    const { expectedVersion, now } = context;
    const stream = streamName(webhooksDecider.kind, organisationId);
    return this.streams.handle(webhooksDecider, stream, context, (state) =>
      rotateSecret(state, { ...input, expectedVersion, now }),
    );
  }
}
