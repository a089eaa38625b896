import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { deliveryDecider, type DeliveryState, requestTest } from '../../domain/webhook/delivery-decider.js';
import { NO_WEBHOOK, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import type { DeliveryIds } from '../../domain/webhook/events.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { accepted, type Answer } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { type DeliveryRecord, deliveryRecord, deliverySchema } from './record.js';

export class SendTest extends Command<Handled<DeliveryState>> {
  constructor(
    readonly context: RequestContext,
    readonly ids: DeliveryIds,
  ) {
    super();
  }
}

@CommandHandler(SendTest)
export class SendTestHandler implements ICommandHandler<SendTest> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, ids }: SendTest): Promise<Handled<DeliveryState>> {
    const stream = streamName(deliveryDecider.kind, ids.deliveryId);
    return this.streams.handle(deliveryDecider, stream, context, async (state) => {
      const own = streamName(webhooksDecider.kind, ids.organisationId);
      const { state: webhooks } = await this.streams.read(webhooksDecider, own);
      return webhookOf(webhooks, ids) ? requestTest(state, ids) : NO_WEBHOOK;
    });
  }
}

@Controller('organisations/:orgId/webhooks/:id/test')
export class SendTestController {
  constructor(private readonly commands: Commands) {}

  @Post()
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.test',
    tag: 'Webhooks',
    summary: 'Send a test notice',
    description:
      'Sends a notice of the type `webhook.test`, whatever types the webhook subscribes to. It is tried once; the list of deliveries shows the result.',
    success: {
      status: 202,
      description: 'The delivery, which is pending.',
      schema: deliverySchema(),
    },
    errors: ['not_found', 'conflict'],
  })
  async test(
    @Param('orgId') organisationId: string,
    @Param('id') webhookId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<DeliveryRecord>> {
    const deliveryId = context.newRecordId('test delivery');
    const command = new SendTest(context, { organisationId, webhookId, deliveryId });
    const { state, consistencyToken } = await this.commands.execute(command);
    return accepted(deliveryRecord(state, deliveryId), { consistencyToken });
  }
}
