import { Body, Controller, Delete, Get, Inject, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { roles } from '../../../projections/roles.js';
import { type ListQuery, narrowedTo, Reads } from '../../application/reads.js';
import { ArchiveRole, ArchiveRoleHandler } from '../../application/roles/archive-role.js';
import { CloneRoleHandler } from '../../application/roles/clone-role.js';
import { CreateRoleFromTemplateHandler } from '../../application/roles/create-role-from-template.js';
import { CreateRole, CreateRoleHandler } from '../../application/roles/create-role.js';
import { RoleVersions } from '../../application/roles/role-versions.js';
import { UpdateRole, UpdateRoleHandler } from '../../application/roles/update-role.js';
import { ConsentNotices, PARTICIPANTS } from '../../application/sessions/consent-notice.js';
import { ticketIdsOf, ticketSetups } from '../../application/tickets/ticket-versions.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { Named, type Static, Type, Uuid } from '../../core/json-schema.js';
import { MAX_DEFINITION_BYTES } from '../../domain/role/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import {
  numberParameter,
  type Query as QueryString,
  queryParameter,
  readQuery,
  readSort,
  sortParameter,
} from '../../http/list-query.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import {
  answersNewRecord,
  answersPage,
  answersRecord,
  Operation,
  type Operations,
} from '../../http/openapi/operation.js';
import type { Participants } from '../../languages/en/shapes.js';
import { setupOf } from '../../scoring/evidence/work.js';
import { DimensionMeasures, measuresOf } from '../../scoring/measures.js';
import { StaffContext } from '../cqrs/commands.js';
import { TicketsModule } from '../tickets/tickets.js';
import { CreateRoleDto, UpdateRoleDto, EXAMPLE_ROLE } from './bodies.js';
import { NewRolesController } from './new-roles.js';
import { RoleRecord, roleRecord, StaffRoles } from './record.js';
import { RoleNoticeController } from './role-notice.js';
import { RoleVersionsController } from './role-versions.js';

/** What one role can measure. */
const MeasuresRecord = Named('RoleMeasures', { roleId: Uuid, dimensions: Type.Array(DimensionMeasures) });

const ORDERS = ['createdAt'] as const;

const ARCHIVED = queryParameter(
  'archived',
  Type.Boolean(),
  'Only archived roles, or only those that are not.',
);

const VERSION = numberParameter('version', 'A former version in place of the latest.');

const operations = {
  create: {
    id: 'roles.create',
    tag: 'Roles',
    summary: 'Create a role',
    example: EXAMPLE_ROLE,
    description: `Takes any definition of the right JSON types within the largest sizes, ${MAX_DEFINITION_BYTES} bytes as JSON in all; one that breaks an update rule makes a draft.`,
    links: { roleId: '/id' },
    success: answersNewRecord('The role.', RoleRecord),
  },
  list: {
    id: 'roles.list',
    tag: 'Roles',
    summary: 'List roles',
    list: true,
    query: [
      ARCHIVED,
      sortParameter('RoleOrder', ORDERS, 'The order, with `-` the reverse; `createdAt` by default.'),
    ],
    links: { roleId: '/items/0/id' },
    success: answersPage('Roles, oldest first by default.', RoleRecord),
  },
  read: {
    id: 'roles.read',
    tag: 'Roles',
    summary: 'Read a role',
    description:
      'As it is, or in a former version: applications name the version that they were opened with.',
    query: [VERSION],
    success: answersRecord('The role.', RoleRecord),
  },
  measures: {
    id: 'roles.measures',
    tag: 'Roles',
    summary: 'Read what a role can measure',
    description:
      'For each dimension, which signals can come from a session, who vouches for them, and the most points that they give, by the rules of new evaluations.',
    success: answersRecord('What the role can measure.', MeasuresRecord),
  },
  update: {
    id: 'roles.update',
    tag: 'Roles',
    summary: 'Replace a role’s definition',
    example: EXAMPLE_ROLE,
    description: `The definition has at most ${MAX_DEFINITION_BYTES} bytes as JSON.`,
    success: answersRecord('The role.', RoleRecord),
    conditional: true,
  },
  archive: {
    id: 'roles.archive',
    tag: 'Roles',
    summary: 'Archive a role',
    description:
      'Nobody can be invited to it any more; its open sessions continue, and it keeps its status and its counts in the signal. It can still be changed. Archived already, nothing changes.',
    success: answersRecord('The role.', RoleRecord),
    conditional: true,
  },
  unarchive: {
    id: 'roles.unarchive',
    tag: 'Roles',
    summary: 'Take a role out of the archive',
    description: 'A role that is not archived stays as it is.',
    success: answersRecord('The role.', RoleRecord),
    conditional: true,
  },
} satisfies Operations;

@Controller('organisations/:orgId/roles')
export class RolesController {
  constructor(
    private readonly staff: StaffRoles,
    private readonly versions: RoleVersions,
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    @Inject(PARTICIPANTS) private readonly participants: Participants,
  ) {}

  @Post()
  @StaffMay('roles.write')
  @Operation(operations.create)
  create(
    @Param('orgId') organisationId: string,
    @Body() definition: CreateRoleDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    return this.staff.make(new CreateRole(context, { organisationId, definition }));
  }

  @Get()
  @StaffMay('roles.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const { reverse } = readSort(query, ORDERS);
    const archived = readQuery(query, ARCHIVED);
    const fields = { Organisation: organisationId, Archived: archived === null ? null : `${archived}` };
    const part = { ...narrowedTo(fields), reverse };
    const found = await this.reads.listed(roles, part, list, meta);
    const ticketIds = found.items.flatMap(({ document }) => document.definition.ticketIds);
    const tickets = await ticketSetups(this.streams, { organisationId, role: { ticketIds } });
    return page(found, ({ document, id }) => roleRecord(document, id, tickets, this.participants));
  }

  @Get(':roleId')
  @StaffMay('roles.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<RoleRecord>> {
    const current = await this.staff.find(organisationId, roleId, meta);
    const version = readQuery(query, VERSION) ?? current.version;
    const role =
      version === current.version ? current : await this.versions.roleAt({ organisationId, roleId }, version);
    if (role === null) throw notFound('This role has no such version.');
    const record = await this.staff.record(role, roleId);
    return ok(record, { version: record.version, isUnsettled: ticketIdsOf(record).length > 0 });
  }

  @Get(':roleId/measures')
  @StaffMay('roles.read')
  @Operation(operations.measures)
  async measures(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<Static<typeof MeasuresRecord>>> {
    const { definition, version } = await this.staff.find(organisationId, roleId, meta);
    const tickets = await ticketSetups(this.streams, { organisationId, role: definition });
    const setup = setupOf(definition.ticketIds, tickets);
    const dimensions = measuresOf(definition, setup, this.participants);
    return ok({ roleId, dimensions }, { version, beside: dimensions });
  }

  @Patch(':roleId')
  @StaffMay('roles.write')
  @Operation(operations.update)
  update(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() definition: UpdateRoleDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    return this.staff.change(new UpdateRole(context, { organisationId, roleId, definition }));
  }

  @Post(':roleId/archive')
  @StaffMay('roles.write')
  @Operation(operations.archive)
  archive(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    return this.staff.change(new ArchiveRole(context, { organisationId, roleId, archived: true }));
  }

  @Delete(':roleId/archive')
  @StaffMay('roles.write')
  @Operation(operations.unarchive)
  unarchive(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    return this.staff.change(new ArchiveRole(context, { organisationId, roleId, archived: false }));
  }
}

@Module({
  imports: [TicketsModule],
  controllers: [NewRolesController, RolesController, RoleVersionsController, RoleNoticeController],
  providers: [
    StaffRoles,
    RoleVersions,
    ConsentNotices,
    CreateRoleHandler,
    CloneRoleHandler,
    CreateRoleFromTemplateHandler,
    UpdateRoleHandler,
    ArchiveRoleHandler,
  ],
})
export class RolesModule {}
