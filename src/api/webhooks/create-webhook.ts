import { Inject, Body, Controller, Param, Post } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MOST_URL } from '../../domain/webhook/target.js';
import { NOTICE_TYPES } from '../../domain/webhook/events.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  createWebhook,
  webhooksDecider,
  type WebhooksState,
  webhookOf,
} from '../../domain/webhook/decider.js';
import { Commands, present, StaffContext } from '../commands.js';
import { Checked, Strict, Text } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, created } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { type NewWebhookRecord, NO_STORE, WebhookSecrets } from './secrets.js';
import { WEBHOOK_TARGETS, type WebhookTargets } from './targets.js';
import { newWebhookSchema } from './record.js';

const strings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

@Strict()
export class CreateWebhookDto {
  @Text({ notBlank: true, maxLength: MOST_URL }) url!: string;
  @Checked(
    {
      type: 'array',
      items: { enum: NOTICE_TYPES },
      minItems: 1,
      maxItems: NOTICE_TYPES.length,
      uniqueItems: true,
    },
    { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' },
    { name: 'strings', holds: strings, sentence: '{path} must hold strings only.' },
  )
  events!: string[];
}

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

@Controller('organisations/:orgId/webhooks')
export class CreateWebhookController {
  constructor(
    private readonly commands: Commands,
    private readonly secrets: WebhookSecrets,
  ) {}

  @Post()
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.create',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'Notices are sent to the URL by the Standard Webhooks specification. The secret that they are signed with is shown in this answer alone.',
    success: {
      status: 201,
      description: 'The webhook and its secret.',
      schema: newWebhookSchema(),
      headers: ['ETag', 'Location'],
    },
    errors: ['conflict'],
  })
  async create(
    @Param('orgId') organisationId: string,
    @Body() { url, events }: CreateWebhookDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<NewWebhookRecord>> {
    const webhookId = context.newId('webhook');
    const command = new CreateWebhook(context, organisationId, webhookId, url, events);
    const { state, consistencyToken } = await this.commands.execute(command);
    const webhook = present(webhookOf(state, { webhookId }));
    const path = `/organisations/${organisationId}/webhooks/${webhookId}`;
    return created(path, await this.secrets.shownOf(webhook), {
      version: webhook.version,
      consistencyToken,
      headers: NO_STORE,
    });
  }
}
