import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  MOST_FORMER_SECRET_HOURS,
  FORMER_SECRET_HOURS,
  rotateSecret,
  webhooksDecider,
  type WebhooksState,
  webhookOf,
} from '../../domain/webhook/decider.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { Commands, present, StaffContext } from '../commands.js';
import { MayBeAbsent, Optional, Strict, Whole } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { type NewWebhookRecord, NO_STORE, WebhookSecrets } from './secrets.js';
import { newWebhookSchema } from './record.js';

@Strict()
@MayBeAbsent()
export class RotateSecretDto {
  @Optional() @Whole({ min: 0, max: MOST_FORMER_SECRET_HOURS }) formerSecretValidHours?: number;
}

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

@Controller('organisations/:orgId/webhooks/:id/rotate-secret')
export class RotateSecretController {
  constructor(
    private readonly commands: Commands,
    private readonly secrets: WebhookSecrets,
  ) {}

  @Post()
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.rotate',
    tag: 'Webhooks',
    summary: 'Rotate a webhook’s secret',
    description: `Notices are signed with the new secret from now on, and with the former one too for \`formerSecretValidHours\` (${FORMER_SECRET_HOURS} unless given). 0 ends every former secret at once. The new secret is shown in this answer alone.`,
    success: {
      status: 200,
      description: 'The webhook and its new secret.',
      schema: newWebhookSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'conflict'],
  })
  async rotate(
    @Param('orgId') organisationId: string,
    @Param('id') webhookId: string,
    @Body() { formerSecretValidHours }: RotateSecretDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<NewWebhookRecord>> {
    const command = new RotateSecret(context, organisationId, webhookId, formerSecretValidHours);
    const { state, consistencyToken } = await this.commands.execute(command);
    const webhook = present(webhookOf(state, { webhookId }));
    return ok(await this.secrets.shownOf(webhook), {
      version: webhook.version,
      consistencyToken,
      headers: NO_STORE,
    });
  }
}
