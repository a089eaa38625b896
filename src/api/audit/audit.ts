import { Controller, Get, Param } from '@nestjs/common';
import { type AuditDocument, type AuditSubject, audit } from '../../../projections/audit.js';
import {
  component,
  instant,
  type JsonSchema,
  objectOf,
  oneOf,
  text,
  uuid,
  pageOf,
} from '../../core/json-schema.js';
import type { Actor } from '../../core/event.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';

/** One entry of an organisation's audit trail. */
export interface AuditRecord {
  /** The id of the event that it tells of. */
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: AuditSubject;
}

export const auditRecord = ({ at, actor, action, subject }: AuditDocument, id: string): AuditRecord => ({
  id,
  at,
  actor,
  action,
  subject,
});

export const auditSchema = (): JsonSchema =>
  component(
    'AuditEntry',
    objectOf({
      id: uuid,
      at: instant,
      actor: objectOf({ type: oneOf('staff', 'candidate', 'operator', 'share_link', 'system'), id: text }),
      action: text,
      subject: objectOf({
        type: oneOf(
          'organisation',
          'member',
          'role',
          'candidate',
          'application',
          'trial_session',
          'evaluation',
          'share_link',
          'webhook',
          'delivery',
        ),
        id: uuid,
      }),
    }),
  );

/** The audit trail is folded from the log like every view: nothing can be written to it, changed or left out. */
@Controller('organisations/:orgId/audit')
export class AuditController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('audit.read')
  @Operation({
    id: 'audit.list',
    tag: 'Audit',
    summary: 'List who did what',
    description:
      'Candidates are named by ids that say nothing about them. What they did within a session is its evidence, and who read an evaluation is listed there.',
    list: true,
    success: { status: 200, description: 'Entries, newest first.', schema: pageOf(auditSchema()) },
  })
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const page = await this.reads.newest(audit, 'byOrganisation', [organisationId], list, meta);
    const items = page.items.map(({ document, id }) => auditRecord(document, id));
    return ok({ items, nextCursor: page.nextCursor });
  }
}
