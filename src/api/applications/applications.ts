import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { APPLICATION_STATUSES, OUTCOME_STATUSES } from '../../../projections/applications.js';
import { CancelApplication } from '../../application/applications/cancel-application.js';
import { EraseCandidate } from '../../application/applications/erase-candidate.js';
import { ExtendApplication } from '../../application/applications/extend-application.js';
import { LiftSignInLock } from '../../application/applications/lift-sign-in-lock.js';
import { type ListQuery, MAX_COUNTED } from '../../application/reads.js';
import type { RequestContext } from '../../core/command-context.js';
import { Named, type Static, Type, Uuid } from '../../core/json-schema.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { accepted, type Answer, noContent, ok } from '../../http/answer.js';
import { type Query as QueryString, readQuery } from '../../http/list-query.js';
import { countsRecord } from '../../http/list-range.js';
import { List, Meta, type RequestMeta, SearchText } from '../../http/meta.js';
import { answersPage, answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { EXAMPLE_EXPIRY, evaluationAt } from '../../http/openapi/parameters.js';
import { Schema } from '../../http/validation/fields.js';
import { Instant } from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { APPLICATION_LIST, APPLICATIONS_OF_ROLE, selectedApplications } from './list-parameters.js';
import { ApplicationLists, WAITING_APPLICATIONS } from './lists.js';
import { ApplicationRecord, versionOf } from './record.js';
import { noSuchApplication, StaffApplications } from './staff-applications.js';

@Schema('ExtendApplication')
export class ExtendApplicationDto {
  @Instant() expiresAt!: string;
}

/** The answer to an erasure: the application's status from now on. */
type ErasureReceipt = Static<typeof ErasureReceipt>;
const ErasureReceipt = Named('ErasureReceipt', { applicationId: Uuid, status: Type.Literal('erased') });

const ApplicationCountsRecord = Named('ApplicationCounts', {
  status: countsRecord('ApplicationsByStatus', APPLICATION_STATUSES),
  outcome: countsRecord('ApplicationsByOutcome', OUTCOME_STATUSES),
  waiting: countsRecord('ApplicationsWaiting', WAITING_APPLICATIONS),
});

const operations = {
  list: {
    id: 'applications.list',
    tag: 'Applications',
    summary: 'List applications',
    list: true,
    query: APPLICATION_LIST,
    searched: true,
    links: { applicationId: '/items/0/id', trialSessionId: '/items/0/trialSessions/0/id' },
    success: answersPage(
      'Applications with their trial sessions and outcomes, oldest first by default.',
      ApplicationRecord,
    ),
  },
  counts: {
    id: 'applications.count',
    tag: 'Applications',
    summary: 'Count applications',
    description: `As many as the lists of each status, outcome and \`waiting\` have. Where a count is ${MAX_COUNTED}, there may be more.`,
    query: [APPLICATIONS_OF_ROLE],
    success: { status: 200, description: 'The counts.', schema: ApplicationCountsRecord },
  },
  read: {
    id: 'applications.read',
    tag: 'Applications',
    summary: 'Read an application',
    links: { trialSessionId: '/trialSessions/0/id', ...evaluationAt('/trialSessions/0/evaluationId') },
    success: answersRecord('The application.', ApplicationRecord),
  },
  extend: {
    id: 'applications.extend',
    tag: 'Applications',
    summary: 'Extend an open application',
    example: { expiresAt: EXAMPLE_EXPIRY },
    success: answersRecord('The application.', ApplicationRecord),
    conditional: true,
    errors: ['application_closed', 'erased'],
  },
  cancel: {
    id: 'applications.cancel',
    tag: 'Applications',
    summary: 'Cancel an open application',
    success: answersRecord('The application, withdrawn.', ApplicationRecord),
    conditional: true,
    errors: ['application_closed', 'erased'],
  },
  erase: {
    id: 'applications.erase',
    tag: 'Applications',
    summary: 'Erase a candidate permanently',
    description:
      'Destroys what the organisation holds about the candidate, in every application of theirs. The erasure is permanent from this answer on; sessions, applications and evaluations show it shortly after. Counts stay as they are.',
    success: {
      status: 202,
      description: 'The candidate is erased.',
      schema: ErasureReceipt,
    },
  },
  liftSignInLock: {
    id: 'applications.liftSignInLock',
    tag: 'Applications',
    summary: 'Let the candidate ask for codes again',
    description:
      'For an open application whose candidate gets no code because too many were asked for with the address. The answer is the same if there was no lock. It is 404 if the application has ended, and if candidates do not sign in by mailed codes.',
    success: { status: 204, description: 'Codes can be asked for with the candidate’s address.' },
    errors: ['erased'],
  },
} satisfies Operations;

@Controller('organisations/:orgId/applications')
export class ApplicationsController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
    private readonly lists: ApplicationLists,
  ) {}

  @Get()
  @StaffMay('applications.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @SearchText() text: string | null,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    return ok(await this.lists.selected(organisationId, selectedApplications(query, text), list, meta));
  }

  @Get(':applicationId')
  @StaffMay('applications.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ApplicationRecord>> {
    const found = await this.staff.byId(organisationId, id, meta);
    const [record] = await this.staff.records(found ? [found] : [], meta);
    if (!record) throw noSuchApplication();
    return ok(record, versionOf(record));
  }

  @Patch(':applicationId')
  @StaffMay('candidates.invite')
  @Operation(operations.extend)
  async extend(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Body() { expiresAt }: ExtendApplicationDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const application = await this.staff.reference(organisationId, id, meta);
    return this.changed(new ExtendApplication(context, { application, expiresAt }));
  }

  @Post(':applicationId/cancel')
  @StaffMay('candidates.invite')
  @Operation(operations.cancel)
  async cancel(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const application = await this.staff.reference(organisationId, id, meta);
    return this.changed(new CancelApplication(context, { application }));
  }

  @Post(':applicationId/erasure')
  @StaffMay('candidates.erase')
  @Operation(operations.erase)
  async erase(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ErasureReceipt>> {
    const { applicationId, candidateId } = await this.staff.reference(organisationId, id, meta);
    const command = new EraseCandidate(context, { candidateId });
    const { consistencyToken } = await this.commands.execute(command);
    return accepted({ applicationId, status: 'erased' }, { consistencyToken });
  }

  @Delete(':applicationId/sign-in-lock')
  @StaffMay('candidates.invite')
  @Operation(operations.liftSignInLock)
  async liftSignInLock(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const application = await this.staff.reference(organisationId, id, meta);
    const { consistencyToken } = await this.commands.execute(new LiftSignInLock(context, { application }));
    return noContent({ consistencyToken });
  }

  /** Executes a command on an application, and answers with its record after it. */
  private async changed(command: ExtendApplication | CancelApplication): Promise<Answer<ApplicationRecord>> {
    const { state, consistencyToken } = await this.commands.executeNullable(command);
    const record = await this.staff.recordAfter(command.input.application, state);
    return ok(record, { ...versionOf(record), consistencyToken });
  }
}

@Controller('organisations/:orgId/application-counts')
export class ApplicationCountsController {
  constructor(private readonly lists: ApplicationLists) {}

  @Get()
  @StaffMay('applications.read')
  @Operation(operations.counts)
  async counts(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    return ok(await this.lists.counts(organisationId, readQuery(query, APPLICATIONS_OF_ROLE), meta));
  }
}
