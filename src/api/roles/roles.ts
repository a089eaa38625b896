import { Body, Controller, Get, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { roles } from '../../../projections/roles.js';
import type { RequestContext } from '../../core/command-context.js';
import { Enumeration, Instant, Named, Ordinal, type Static, Uuid } from '../../core/json-schema.js';
import type { Role } from '../../domain/role/decider.js';
import { MAX_DEFINITION_BYTES, ROLE_STATUSES, RoleDefinition } from '../../domain/role/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { type Answer, created, ok, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import type { ListQuery } from '../../application/reads.js';
import { type Query as QueryString, readSort, sortParameter } from '../../http/list-query.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import {
  answersNewRecord,
  answersPage,
  answersRecord,
  Operation,
  type Operations,
} from '../../http/openapi/operation.js';
import { CreateRole, CreateRoleHandler } from '../../application/roles/create-role.js';
import { UpdateRole, UpdateRoleHandler } from '../../application/roles/update-role.js';
import { Reads } from '../../application/reads.js';
import { CreateRoleDto, UpdateRoleDto, EXAMPLE_ROLE } from './bodies.js';

/** A role as every path returns it. */
export type RoleRecord = Static<typeof RoleRecord>;
const RoleRecord = Named('Role', {
  id: Uuid,
  organisationId: Uuid,
  ...RoleDefinition.properties,
  version: Ordinal,
  status: Enumeration('RoleStatus', ROLE_STATUSES),
  createdAt: Instant,
  updatedAt: Instant,
});

export const roleRecord = (role: Omit<Role, 'roleId'>, id: string): RoleRecord => ({
  id,
  organisationId: role.organisationId,
  ...role.definition,
  version: role.version,
  status: role.status,
  createdAt: role.createdAt,
  updatedAt: role.updatedAt,
});

const noSuchRole = () => notFound('There is no such role.');

const ORDERS = ['createdAt'] as const;

const operations = {
  create: {
    id: 'roles.create',
    tag: 'Roles',
    summary: 'Create a role',
    example: EXAMPLE_ROLE,
    description: `Takes any definition of the right JSON types within the largest sizes, ${MAX_DEFINITION_BYTES} bytes as JSON in all; one that breaks an update rule makes a draft.`,
    gives: { roleId: '/id' },
    success: answersNewRecord('The role.', RoleRecord),
  },
  list: {
    id: 'roles.list',
    tag: 'Roles',
    summary: 'List roles',
    list: true,
    query: [sortParameter('RoleOrder', ORDERS, 'The order, with `-` the reverse; `createdAt` by default.')],
    gives: { roleId: '/items/0/id' },
    success: answersPage('Roles, oldest first by default.', RoleRecord),
  },
  read: {
    id: 'roles.read',
    tag: 'Roles',
    summary: 'Read a role',
    success: answersRecord('The role.', RoleRecord),
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
} satisfies Operations;

@Controller('organisations/:orgId/roles')
export class RolesController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
  ) {}

  @Post()
  @StaffMay('roles.write')
  @Operation(operations.create)
  async create(
    @Param('orgId') organisationId: string,
    @Body() definition: CreateRoleDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    const command = new CreateRole(context, { organisationId, definition });
    const { state, consistencyToken } = await this.commands.execute(command);
    const { roleId, version } = state;
    const path = `/organisations/${organisationId}/roles/${roleId}`;
    return created(path, roleRecord(state, roleId), { version, consistencyToken });
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
    const part = { index: 'byOrganisation', prefix: [organisationId], reverse };
    const found = await this.reads.listed(roles, part, list, meta);
    return page(found, ({ document, id }) => roleRecord(document, id));
  }

  @Get(':roleId')
  @StaffMay('roles.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<RoleRecord>> {
    const found = await this.reads.get(roles, roleId, meta);
    if (found?.document.organisationId !== organisationId) throw noSuchRole();
    return ok(roleRecord(found.document, roleId), { version: found.document.version });
  }

  @Patch(':roleId')
  @StaffMay('roles.write')
  @Operation(operations.update)
  async update(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() definition: UpdateRoleDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    const command = new UpdateRole(context, { organisationId, roleId, definition });
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(roleRecord(state, roleId), { version: state.version, consistencyToken });
  }
}

@Module({ controllers: [RolesController], providers: [CreateRoleHandler, UpdateRoleHandler] })
export class RolesModule {}
