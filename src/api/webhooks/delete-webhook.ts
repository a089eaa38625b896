import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Delete, Param } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { deleteWebhook, webhooksDecider, type WebhooksState } from '../../domain/webhook/decider.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, noContent } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';

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

@Controller('organisations/:orgId/webhooks/:id')
export class DeleteWebhookController {
  constructor(private readonly commands: Commands) {}

  @Delete()
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.remove',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'What is still to be delivered to it is given up.',
    success: { status: 204, description: 'The webhook is deleted.' },
    conditional: true,
    errors: ['not_found', 'conflict'],
  })
  async remove(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const command = new DeleteWebhook(context, organisationId, id);
    const { consistencyToken } = await this.commands.execute(command);
    return noContent({ consistencyToken });
  }
}
