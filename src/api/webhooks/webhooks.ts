import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { webhooks } from '../../../projections/webhooks.js';
import type { ListQuery } from '../../application/reads.js';
import { Reads } from '../../application/reads.js';
import { present } from '../../application/use-case.js';
import { CreateWebhook } from '../../application/webhooks/create-webhook.js';
import { DeleteWebhook } from '../../application/webhooks/delete-webhook.js';
import { RotateWebhookSecret } from '../../application/webhooks/rotate-webhook-secret.js';
import { WebhookSecrets } from '../../application/webhooks/secrets.js';
import type { RequestContext } from '../../core/command-context.js';
import {
  Enumeration,
  Instant,
  Named,
  Nullable,
  Ordinal,
  pick,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import {
  FORMER_SECRET_HOURS,
  MAX_FORMER_SECRET_HOURS,
  webhookOf,
  type WebhooksState,
} from '../../domain/webhook/decider.js';
import { NOTICE_TYPES } from '../../domain/webhook/events.js';
import { MAX_URL } from '../../domain/webhook/target.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, created, noContent, ok, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import {
  answersNewRecord,
  answersPage,
  answersRecord,
  Operation,
  type Operations,
} from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { NameList, Optional, Text, Whole } from '../../http/validation/rules.js';
import { Commands, type Done, StaffContext } from '../cqrs/commands.js';

const NOTICE_TYPE = Enumeration('NoticeType', NOTICE_TYPES);

/** A webhook as every path returns it. */
const WebhookRecord = Named('Webhook', {
  id: Uuid,
  url: Type.String({ description: 'As it was given.' }),
  events: Type.Array(NOTICE_TYPE),
  createdAt: Instant,
  formerSecretValidUntil: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'Until when notices are signed with the former secret too; `null` until the secret is rotated.',
    }),
  ),
  version: Ordinal,
});
type WebhookRecord = Static<typeof WebhookRecord>;

/** A webhook with its secret, as creation and rotation alone answer it. */
const NewWebhookRecord = Named('NewWebhook', { ...WebhookRecord.properties, secret: Type.String() });
type NewWebhookRecord = Static<typeof NewWebhookRecord>;

@Schema('CreateWebhook')
export class CreateWebhookDto {
  @Text({
    notBlank: true,
    maxLength: MAX_URL,
    described: {
      description:
        'An absolute https URL of a host in the public internet, without a user name, a password or a fragment.',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]:[^\\s\\\\#\\u0000-\\u001f\\u007f-\\u009f]+$',
    },
  })
  url!: string;
  @NameList(NOTICE_TYPE, NOTICE_TYPES.length) events!: string[];
}

@Schema('RotateSecret', { mayBeAbsent: true })
export class RotateSecretDto {
  @Optional() @Whole({ min: 0, max: MAX_FORMER_SECRET_HOURS }) formerSecretValidHours?: number;
}

const operations = {
  create: {
    id: 'webhooks.create',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    example: { url: 'https://example.org/notices', events: ['evaluation.ready', 'outcome.recorded'] },
    description:
      'Notices are sent to the URL by the Standard Webhooks specification. The secret that they are signed with is shown in this answer alone.',
    links: { webhookId: '/id' },
    success: answersNewRecord('The webhook and its secret.', NewWebhookRecord),
  },
  list: {
    id: 'webhooks.list',
    tag: 'Webhooks',
    summary: 'List webhooks',
    list: true,
    links: { webhookId: '/items/0/id' },
    success: answersPage('Webhooks, oldest first.', WebhookRecord),
  },
  read: {
    id: 'webhooks.read',
    tag: 'Webhooks',
    summary: 'Read a webhook',
    success: answersRecord('The webhook.', WebhookRecord),
  },
  rotate: {
    id: 'webhooks.rotateSecret',
    tag: 'Webhooks',
    summary: 'Rotate a webhook’s secret',
    example: { formerSecretValidHours: 24 },
    description: `Notices are signed with the new secret from now on, and with the former one too for \`formerSecretValidHours\` (default ${FORMER_SECRET_HOURS}). 0 ends every former secret at once. The new secret is shown in this answer alone.`,
    success: answersRecord('The webhook and its new secret.', NewWebhookRecord),
    conditional: true,
  },
  remove: {
    id: 'webhooks.delete',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Its pending deliveries are dropped.',
    success: { status: 204, description: 'The webhook is deleted.' },
    conditional: true,
  },
} satisfies Operations;

@Controller('organisations/:orgId/webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
    private readonly secrets: WebhookSecrets,
  ) {}

  @Post()
  @StaffMay('webhooks.manage')
  @Operation(operations.create)
  async create(
    @Param('orgId') organisationId: string,
    @Body() { url, events }: CreateWebhookDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<NewWebhookRecord>> {
    const webhookId = context.newId('webhook');
    const command = new CreateWebhook(context, { organisationId, webhookId, url, events });
    const done = await this.commands.execute(command);
    const { record, options } = await this.withSecret(webhookId, done);
    return created(`/organisations/${organisationId}/webhooks/${webhookId}`, record, options);
  }

  @Get()
  @StaffMay('webhooks.manage')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const found = await this.reads.list(webhooks, 'byOrganisation', [organisationId], list, meta);
    return page(found, ({ document, id }) => pick(WebhookRecord, { ...document, id }));
  }

  @Get(':webhookId')
  @StaffMay('webhooks.manage')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('webhookId') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<WebhookRecord>> {
    const document = await foundWebhook(this.reads, organisationId, id, meta);
    return ok(pick(WebhookRecord, { ...document, id }), { version: document.version });
  }

  @Post(':webhookId/rotate-secret')
  @StaffMay('webhooks.manage')
  @Operation(operations.rotate)
  async rotate(
    @Param('orgId') organisationId: string,
    @Param('webhookId') webhookId: string,
    @Body() { formerSecretValidHours: formerValidHours = FORMER_SECRET_HOURS }: RotateSecretDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<NewWebhookRecord>> {
    const input = { organisationId, webhookId, formerValidHours };
    const done = await this.commands.execute(new RotateWebhookSecret(context, input));
    const { record, options } = await this.withSecret(webhookId, done);
    return ok(record, options);
  }

  @Delete(':webhookId')
  @StaffMay('webhooks.manage')
  @Operation(operations.remove)
  async remove(
    @Param('orgId') organisationId: string,
    @Param('webhookId') webhookId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const command = new DeleteWebhook(context, { organisationId, webhookId });
    const { consistencyToken } = await this.commands.execute(command);
    return noContent({ consistencyToken });
  }

  /** The record of a webhook with its secret, which no cache may keep. */
  private async withSecret(webhookId: string, { state, consistencyToken }: Done<WebhooksState>) {
    const webhook = present(webhookOf(state, { webhookId }));
    const secret = await this.secrets.secretOf(webhookId, webhook.secret);
    return {
      record: pick(NewWebhookRecord, { ...webhook, id: webhookId, secret }),
      options: { version: webhook.version, consistencyToken, headers: { 'Cache-Control': 'no-store' } },
    };
  }
}

/** A webhook of the organisation. @throws {ApiError} `not_found`: there is none, or it was deleted */
export const foundWebhook = async (reads: Reads, organisationId: string, id: string, meta: RequestMeta) => {
  const document = (await reads.get(webhooks, id, meta))?.document;
  if (document?.organisationId !== organisationId || document.deleted)
    throw notFound('There is no such webhook.');
  return document;
};
