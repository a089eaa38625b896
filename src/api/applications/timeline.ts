import { Controller, Get, Param } from '@nestjs/common';
import { audit, type AuditDocument } from '../../../projections/audit.js';
import type { Member } from '../../application/caller.js';
import { type ListQuery, narrowedTo, Reads } from '../../application/reads.js';
import { Instant, Named, Nullable, pick, Type } from '../../core/json-schema.js';
import { memberMay } from '../../domain/organisation/permissions.js';
import { CurrentMember, StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, page } from '../../http/answer.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { ActorRecord, AuditSubjectRecord } from '../audit/audit.js';
import { noSuchApplication, StaffApplications } from './staff-applications.js';

const TimelineEntry = Named('TimelineEntry', {
  id: Type.String({ format: 'uuid', description: 'The entry’s own id, the same as in the audit trail.' }),
  at: Instant,
  actor: ActorRecord,
  action: Type.String(),
  subject: AuditSubjectRecord,
  applicationId: Nullable(
    Type.String({
      format: 'uuid',
      description: 'The application that it concerns. `null`: it concerns the candidate in all of them.',
    }),
  ),
});

const operations = {
  list: {
    id: 'applications.timeline',
    tag: 'Applications',
    summary: 'List what was done with a candidate',
    description:
      'The entries of the audit trail that concern the candidate of an application, in every application of theirs in the organisation. Members who may not share reports get none about share links. A page may have fewer entries than were asked for: `nextCursor` continues the list.',
    list: true,
    success: answersPage('Entries, newest first.', TimelineEntry),
  },
} satisfies Operations;

/**
 * The entries of the audit trail that concern one application. The whole trail also has those of members, keys and
 * settings, and is for administrators; all who may read an application may read its timeline.
 */
@Controller('organisations/:orgId/applications/:applicationId/timeline')
export class TimelineController {
  constructor(
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
  ) {}

  @Get()
  @StaffMay('applications.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const application = await this.staff.byId(organisationId, id, meta);
    if (!application) throw noSuchApplication();
    const { candidateId } = application.document;
    const part = narrowedTo({ Organisation: organisationId, Candidate: candidateId });
    const { items, nextCursor } = await this.reads.listed(audit, { ...part, reverse: true }, list, meta);
    const shown = items.filter(({ document }) => mayKnow(member, document));
    return page({ items: shown, nextCursor }, (one) => pick(TimelineEntry, { ...one.document, id: one.id }));
  }
}

/** Only members who may share reports see the entries about links, as only they see the list of links. */
const mayKnow = (member: Member, { subject }: AuditDocument): boolean =>
  subject.type !== 'share_link' || memberMay(member, 'reports.share');
