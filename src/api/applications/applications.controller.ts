import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { APPLICATION_STATUSES } from '../../../projections/applications.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { type Answer, created, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import {
  type ListQuery,
  type Query as QueryString,
  readQueryText,
  readSearch,
  readSort,
  sortValues,
} from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { oneOf, pageOf, uuid } from '../../core/json-schema.js';
import { MAX_EMAIL } from '../validation/email.js';
import { Reads } from '../reads.js';
import type { Handled } from '../../core/handle.js';
import type { TrialState } from '../../domain/session/state.js';
import { CancelApplication } from './cancel-application.js';
import { ExtendApplication } from './extend-application.js';
import { ExtendApplicationDto } from './extend-application.dto.js';
import { InviteCandidate } from './invite-candidate.js';
import { InviteCandidateDto } from './invite-candidate.dto.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { type ApplicationRecord, applicationSchema } from './record.js';
import { applicationOrders, StaffApplications } from './staff-applications.js';

@Controller('organisations/:orgId')
export class ApplicationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
  ) {}

  @Post('roles/:roleId/invitations')
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.invite',
    tag: 'Applications',
    summary: 'Invite a candidate',
    description: 'Opens an application and its trial session, for 14 days unless `expiresAt` says otherwise.',
    success: {
      status: 201,
      description: 'The application.',
      schema: applicationSchema(),
      headers: ['ETag', 'Location'],
    },
    errors: ['not_found', 'role_draft', 'already_invited', 'conflict'],
  })
  async invite(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() body: InviteCandidateDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<ApplicationRecord>> {
    const context = this.contexts.forStaff(meta, member);
    const { candidateEmail, expiresAt = null } = body;
    const command = new InviteCandidate(context, organisationId, roleId, candidateEmail, expiresAt);
    const done = settle(await this.commands.execute(command));
    const record = this.staff.invited(present(done.state));
    return created(`/organisations/${organisationId}/applications/${record.id}`, record, {
      version: record.version,
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Get('applications')
  @StaffMay('applications.read')
  @Operation({
    id: 'applications.list',
    tag: 'Applications',
    summary: 'List applications',
    list: true,
    query: [
      { name: 'roleId', description: 'Only those for this role.', schema: uuid },
      { name: 'status', description: 'Only those of this status.', schema: oneOf(...APPLICATION_STATUSES) },
      {
        name: 'q',
        description:
          'Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for.',
        schema: { type: 'string', minLength: 1, maxLength: MAX_EMAIL },
      },
      {
        name: 'sort',
        description:
          'The order, with `-` the reverse: `invitedAt` unless said. With an address in `q` it is always that, with a role’s name in `q` always `roleName`.',
        schema: oneOf(...sortValues(applicationOrders(null))),
      },
    ],
    success: {
      status: 200,
      description: 'Applications with their trial sessions and outcomes, oldest first unless said.',
      schema: pageOf(applicationSchema()),
    },
  })
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const text = readSearch(query, 'q', MAX_EMAIL);
    const filter = {
      roleId: readQueryText(query, 'roleId'),
      status: readQueryText(query, 'status', APPLICATION_STATUSES),
      text,
    };
    const sort = readSort(query, applicationOrders(text));
    return ok(await this.staff.page(organisationId, filter, sort, list, meta));
  }

  @Get('applications/:id')
  @StaffMay('applications.read')
  @Operation({
    id: 'applications.read',
    tag: 'Applications',
    summary: 'Read an application',
    success: { status: 200, description: 'The application.', schema: applicationSchema(), headers: ['ETag'] },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ApplicationRecord>> {
    const found = await this.staff.byId(organisationId, id, meta);
    const [record] = await this.staff.records(found ? [found] : [], meta);
    if (!record) throw noSuchApplication();
    return ok(record, { version: record.version });
  }

  @Patch('applications/:id')
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.extend',
    tag: 'Applications',
    summary: 'Extend an open application',
    success: {
      status: 200,
      description: 'The application.',
      schema: applicationSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'application_closed', 'erased', 'conflict'],
  })
  async extend(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Body() body: ExtendApplicationDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<ApplicationRecord>> {
    const ref = await this.reference(organisationId, id, meta);
    const context = this.contexts.forStaff(meta, member);
    return this.answer(ref, await this.commands.execute(new ExtendApplication(context, ref, body.expiresAt)));
  }

  @Post('applications/:id/cancel')
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.cancel',
    tag: 'Applications',
    summary: 'Cancel an open application',
    success: {
      status: 200,
      description: 'The application, withdrawn.',
      schema: applicationSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'application_closed', 'erased', 'conflict'],
  })
  async cancel(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<ApplicationRecord>> {
    const ref = await this.reference(organisationId, id, meta);
    const context = this.contexts.forStaff(meta, member);
    return this.answer(ref, await this.commands.execute(new CancelApplication(context, ref)));
  }

  private async reference(organisationId: string, id: string, meta: RequestMeta): Promise<ApplicationRef> {
    const found = await this.staff.settled(() => this.staff.byId(organisationId, id, meta));
    if (!found) throw noSuchApplication();
    return { ...found.document, applicationId: found.id };
  }

  private async answer(
    ref: ApplicationRef,
    handled: Handled<TrialState>,
  ): Promise<Answer<ApplicationRecord>> {
    const done = settle(handled);
    const record = await this.staff.recordAfter(ref, present(done.state));
    return ok(record, { version: record.version, consistencyToken: this.reads.tokenOf(done.position) });
  }
}

const noSuchApplication = () => notFound('There is no such application.');
