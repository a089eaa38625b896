import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { roles } from '../../../projections/roles.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { type Answer, created, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { type ListQuery, type Query as QueryString, readSort, sortValues } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { oneOf, pageOf } from '../../core/json-schema.js';
import { Reads } from '../reads.js';
import { CreateRole } from './create-role.js';
import { CreateRoleDto } from './create-role.dto.js';
import { MAX_DEFINITION_BYTES } from '../../domain/role/definition.js';
import { type RoleRecord, roleRecord, roleSchema } from './record.js';
import { UpdateRole } from './update-role.js';
import { UpdateRoleDto } from './update-role.dto.js';

const ORDERS = ['createdAt'] as const;

@Controller('organisations/:orgId/roles')
export class RolesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
  ) {}

  @Post()
  @StaffMay('roles.write')
  @Operation({
    id: 'roles.create',
    tag: 'Roles',
    summary: 'Create a role',
    description: `Takes any definition of the right JSON types within the largest sizes, ${MAX_DEFINITION_BYTES} bytes as JSON in all; one that breaks an update rule makes a draft.`,
    success: {
      status: 201,
      description: 'The role.',
      schema: roleSchema(),
      headers: ['ETag', 'Location'],
    },
  })
  async create(
    @Param('orgId') organisationId: string,
    @Body() body: CreateRoleDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<RoleRecord>> {
    const context = this.contexts.forStaff(meta, member);
    const done = settle(await this.commands.execute(new CreateRole(context, organisationId, body)));
    const { roleId, ...role } = present(done.state);
    return created(`/organisations/${organisationId}/roles/${roleId}`, roleRecord(role, roleId), {
      version: role.version,
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Patch(':roleId')
  @StaffMay('roles.write')
  @Operation({
    id: 'roles.update',
    tag: 'Roles',
    summary: 'Replace a role’s definition',
    description: `The definition has at most ${MAX_DEFINITION_BYTES} bytes as JSON.`,
    success: {
      status: 200,
      description: 'The role.',
      schema: roleSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'conflict'],
  })
  async update(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() body: UpdateRoleDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<RoleRecord>> {
    const context = this.contexts.forStaff(meta, member);
    const done = settle(await this.commands.execute(new UpdateRole(context, organisationId, roleId, body)));
    const role = present(done.state);
    return ok(roleRecord(role, roleId), {
      version: role.version,
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Get()
  @StaffMay('roles.read')
  @Operation({
    id: 'roles.list',
    tag: 'Roles',
    summary: 'List roles',
    list: true,
    query: [
      {
        name: 'sort',
        description: 'The order, with `-` the reverse.',
        schema: { ...oneOf(...sortValues(ORDERS)), default: ORDERS[0] },
      },
    ],
    success: { status: 200, description: 'Roles, oldest first unless said.', schema: pageOf(roleSchema()) },
  })
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const { reverse } = readSort(query, ORDERS);
    const part = { index: 'byOrganisation', prefix: [organisationId], reverse };
    const page = await this.reads.listed(roles, part, list, meta);
    return ok({
      items: page.items.map(({ document, id }) => roleRecord(document, id)),
      nextCursor: page.nextCursor,
    });
  }

  @Get(':roleId')
  @StaffMay('roles.read')
  @Operation({
    id: 'roles.read',
    tag: 'Roles',
    summary: 'Read a role',
    success: { status: 200, description: 'The role.', schema: roleSchema(), headers: ['ETag'] },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<RoleRecord>> {
    const found = await this.reads.get(roles, roleId, meta);
    if (found?.document.organisationId !== organisationId) throw notFound('There is no such role.');
    return ok(roleRecord(found.document, roleId), { version: found.document.version });
  }
}
