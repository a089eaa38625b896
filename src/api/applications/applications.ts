import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import type { Decision } from '../../core/decider.js';
import { Type, Uuid } from '../../core/json-schema.js';
import { streamName } from '../../core/stream-name.js';
import {
  cancelApplication,
  extendApplication,
  type OnApplication,
  outcome,
} from '../../domain/application/decider.js';
import { withInvitation } from '../../domain/application/reading.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Commands, OnStream, type Parts, StaffContext } from '../cqrs/commands.js';
import { type Answer, ok } from '../../http/answer.js';
import type { ListQuery } from '../../application/reads.js';
import {
  type Query as QueryString,
  queryParameter,
  readQuery,
  readSort,
  sortParameter,
} from '../../http/list-query.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, answersRecord, Operation } from '../../http/openapi/operation.js';
import { EXAMPLE_EXPIRY, evaluationAt } from '../../http/openapi/parameters.js';
import { MAX_EMAIL } from '../../http/validation/formats.js';
import { Schema } from '../../http/validation/fields.js';
import { Instant } from '../../http/validation/rules.js';
import { AccommodationsController } from './accommodations.js';
import { EraseCandidateController, EraseCandidateHandler } from './erasure.js';
import { InviteCandidateController, InviteCandidateHandler } from './invite-candidate.js';
import { ApplicationMailsController } from './mails.js';
import { OutcomesController } from './outcomes.js';
import { APPLICATION_STATUS, ApplicationRecord } from './record.js';
import { SignInLockController } from './sign-in-lock.js';
import { applicationOrders, noSuchApplication, StaffApplications } from './staff-applications.js';

@Schema('ExtendApplication')
export class ExtendApplicationDto {
  @Instant() expiresAt!: string;
}

const ROLE = queryParameter('roleId', Uuid, 'Only those for this role.');
const STATUS = queryParameter('status', APPLICATION_STATUS, 'Only those of this status.');
const SEARCH = queryParameter(
  'q',
  Type.String({ maxLength: MAX_EMAIL, pattern: '\\S' }),
  'Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for.',
);
const SORT = sortParameter(
  'ApplicationOrder',
  applicationOrders(null),
  'The order, with `-` the reverse; `invitedAt` by default. With an address in `q` it is always that, with a role’s name in `q` always `roleName`.',
);

@Controller('organisations/:orgId/applications')
export class ApplicationsController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
  ) {}

  @Get()
  @StaffMay('applications.read')
  @Operation({
    id: 'applications.list',
    tag: 'Applications',
    summary: 'List applications',
    list: true,
    query: [ROLE, STATUS, SEARCH, SORT],
    gives: { applicationId: '/items/0/id', trialSessionId: '/items/0/trialSessions/0/id' },
    success: answersPage(
      'Applications with their trial sessions and outcomes, oldest first by default.',
      ApplicationRecord,
    ),
  })
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const text = readQuery(query, SEARCH)?.trim() ?? null;
    const filter = {
      roleId: readQuery(query, ROLE),
      status: readQuery(query, STATUS),
      text,
    };
    const sort = readSort(query, applicationOrders(text));
    return ok(await this.staff.page(organisationId, filter, sort, list, meta));
  }

  @Get(':applicationId')
  @StaffMay('applications.read')
  @Operation({
    id: 'applications.read',
    tag: 'Applications',
    summary: 'Read an application',
    gives: { trialSessionId: '/trialSessions/0/id', ...evaluationAt('/trialSessions/0/evaluationId') },
    success: answersRecord('The application.', ApplicationRecord),
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ApplicationRecord>> {
    const found = await this.staff.byId(organisationId, id, meta);
    const [record] = await this.staff.records(found ? [found] : [], meta);
    if (!record) throw noSuchApplication();
    return ok(record, { version: record.version });
  }

  @Patch(':applicationId')
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.extend',
    tag: 'Applications',
    summary: 'Extend an open application',
    example: { expiresAt: EXAMPLE_EXPIRY },
    success: answersRecord('The application.', ApplicationRecord),
    conditional: true,
    errors: ['application_closed', 'erased'],
  })
  extend(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Body() { expiresAt }: ExtendApplicationDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    return this.decided(organisationId, id, meta, context, (state, on) =>
      extendApplication(state, { ...on, expiresAt }),
    );
  }

  @Post(':applicationId/cancel')
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.cancel',
    tag: 'Applications',
    summary: 'Cancel an open application',
    success: answersRecord('The application, withdrawn.', ApplicationRecord),
    conditional: true,
    errors: ['application_closed', 'erased'],
  })
  cancel(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    return this.decided(organisationId, id, meta, context, cancelApplication);
  }

  private async decided(
    organisationId: string,
    id: string,
    meta: RequestMeta,
    context: RequestContext,
    decide: (state: TrialState, on: OnApplication) => Decision<TrialEvent>,
  ): Promise<Answer<ApplicationRecord>> {
    const application = await this.staff.reference(organisationId, id, meta);
    const { expectedVersion } = context;
    const now = context.now.toISOString();
    const command = new OnStream(trial, application.trialSessionId, context, (before, streams) =>
      withInvitation(streams, application, async (invitation) => {
        const stream = streamName('application', application.applicationId);
        const outcomeVersion = (await streams.read(outcome, stream)).state.version;
        return decide(before, { invitation, now, expectedVersion, outcomeVersion });
      }),
    );
    const { state, consistencyToken } = await this.commands.execute(command);
    const record = await this.staff.recordAfter(application, state);
    return ok(record, { version: record.version, consistencyToken });
  }
}

export const applicationParts: Parts = {
  controllers: [
    InviteCandidateController,
    ApplicationsController,
    EraseCandidateController,
    OutcomesController,
    ApplicationMailsController,
    AccommodationsController,
    SignInLockController,
  ],
  providers: [InviteCandidateHandler, EraseCandidateHandler],
};
