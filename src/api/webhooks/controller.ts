import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { webhooks } from '../../../projections/webhooks.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { accepted, type Answer, type AnswerOptions, created, noContent, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { pageOf } from '../../core/json-schema.js';
import { Reads } from '../reads.js';
import type { Position } from '../../core/event-store.js';
import { CreateWebhook } from './create-webhook.js';
import { CreateWebhookDto } from './create-webhook.dto.js';
import { FORMER_SECRET_HOURS, type Webhook, webhookOf } from '../../domain/webhook/decider.js';
import { DeleteWebhook } from './delete-webhook.js';
import {
  type DeliveryRecord,
  deliveryRecord,
  deliverySchema,
  newWebhookSchema,
  type WebhookRecord,
  webhookRecord,
  webhookSchema,
} from './record.js';
import { RotateSecret } from './rotate-secret.js';
import { RotateSecretDto } from './rotate-secret.dto.js';
import { SendTest } from './send-test.js';
import { WebhookSecrets } from './secrets.js';

@Controller('organisations/:orgId/webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
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
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<WebhookRecord & { readonly secret: string }>> {
    const context = this.contexts.forStaff(meta, member);
    const webhookId = context.newId('webhook');
    const command = new CreateWebhook(context, organisationId, webhookId, url, events);
    const done = settle(await this.commands.execute(command));
    const webhook = present(webhookOf(done.state, { webhookId }));
    const path = `/organisations/${organisationId}/webhooks/${webhookId}`;
    return created(path, await this.withSecret(webhook), this.optionsOf(webhook, done.position));
  }

  @Post(':id/rotate-secret')
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
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<WebhookRecord & { readonly secret: string }>> {
    const context = this.contexts.forStaff(meta, member);
    const command = new RotateSecret(context, organisationId, webhookId, formerSecretValidHours);
    const done = settle(await this.commands.execute(command));
    const webhook = present(webhookOf(done.state, { webhookId }));
    return ok(await this.withSecret(webhook), this.optionsOf(webhook, done.position));
  }

  private async withSecret(webhook: Webhook): Promise<WebhookRecord & { readonly secret: string }> {
    const { webhookId, secret } = webhook;
    return { ...webhookRecord(webhook, webhookId), secret: await this.secrets.of(webhookId, secret) };
  }

  private optionsOf({ version }: Webhook, position: Position): AnswerOptions {
    const consistencyToken = this.reads.tokenOf(position);
    return { version, consistencyToken, headers: { 'Cache-Control': 'no-store' } };
  }

  @Get()
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.list',
    tag: 'Webhooks',
    summary: 'List webhooks',
    list: true,
    success: { status: 200, description: 'Webhooks, oldest first.', schema: pageOf(webhookSchema()) },
  })
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const page = await this.reads.list(webhooks, 'byOrganisation', [organisationId], list, meta);
    return ok({
      items: page.items.map(({ document, id }) => webhookRecord(document, id)),
      nextCursor: page.nextCursor,
    });
  }

  @Get(':id')
  @StaffMay('webhooks.manage')
  @Operation({
    id: 'webhooks.read',
    tag: 'Webhooks',
    summary: 'Read a webhook',
    success: { status: 200, description: 'The webhook.', schema: webhookSchema(), headers: ['ETag'] },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<WebhookRecord>> {
    const document = (await this.reads.get(webhooks, id, meta))?.document;
    if (document?.organisationId !== organisationId || document.deleted)
      throw notFound('There is no such webhook.');
    return ok(webhookRecord(document, id), { version: document.version });
  }

  @Post(':id/test')
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
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<DeliveryRecord>> {
    const context = this.contexts.forStaff(meta, member);
    const deliveryId = context.newRecordId('test delivery');
    const ids = { organisationId, webhookId, deliveryId };
    const done = settle(await this.commands.execute(new SendTest(context, ids)));
    return accepted(deliveryRecord(present(done.state), deliveryId), {
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Delete(':id')
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
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const context = this.contexts.forStaff(meta, member);
    const done = settle(await this.commands.execute(new DeleteWebhook(context, organisationId, id)));
    return noContent({ consistencyToken: this.reads.tokenOf(done.position) });
  }
}
