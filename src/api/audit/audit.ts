import { Controller, Get, Module, Param } from '@nestjs/common';
import { AUDIT_SUBJECTS, audit } from '../../../projections/audit.js';
import type { ListQuery } from '../../application/reads.js';
import { Reads } from '../../application/reads.js';
import { Enumeration, Instant, Named, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, page } from '../../http/answer.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, Operation, type Operations } from '../../http/openapi/operation.js';

/** Who did something. */
export const ActorRecord = Named('Actor', {
  type: Enumeration('ActorType', ['staff', 'api_key', 'candidate', 'operator', 'share_link', 'system']),
  id: Type.String(),
});

export const AuditSubjectRecord = Named('AuditSubject', {
  type: Enumeration('AuditSubjectType', AUDIT_SUBJECTS),
  id: Uuid,
});

/** One entry of an organisation's audit trail. */
export type AuditRecord = Static<typeof AuditRecord>;
const AuditRecord = Named('AuditEntry', {
  id: Type.String({ format: 'uuid', description: 'The entry’s own id.' }),
  at: Instant,
  actor: ActorRecord,
  action: Type.String(),
  subject: AuditSubjectRecord,
});

const operations = {
  list: {
    id: 'audit.list',
    tag: 'Audit',
    summary: 'List who did what',
    description:
      'Candidates are named by ids that reveal nothing about them. What they did within a session is its evidence, and who read an evaluation is listed there. What a candidate or the visitors of a share link do again to a record on the same day (UTC) is one entry, at the latest time.',
    list: true,
    success: answersPage('Entries, newest first.', AuditRecord),
  },
} satisfies Operations;

/** The audit trail is folded from the log like every view: no request can add, change or remove an entry. */
@Controller('organisations/:orgId/audit')
export class AuditController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('audit.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const found = await this.reads.newest(audit, 'byOrganisation', [organisationId], list, meta);
    return page(found, ({ document, id }) => pick(AuditRecord, { ...document, id }));
  }
}

@Module({ controllers: [AuditController] })
export class AuditModule {}
