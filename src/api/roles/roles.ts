import { Controller, Get, Param, Query } from '@nestjs/common';
import { roles } from '../../../projections/roles.js';
import {
  component,
  instant,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  text,
  uuid,
  pageOf,
} from '../../core/json-schema.js';
import type { Role } from '../../domain/role/decider.js';
import type { RoleDefinition, RoleStatus } from '../../domain/role/events.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { type ListQuery, type Query as QueryString, readSort, sortValues } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';

/** A role as every path returns it. */
export interface RoleRecord extends RoleDefinition {
  readonly id: string;
  readonly organisationId: string;
  readonly version: number;
  readonly status: RoleStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const roleRecord = (role: Omit<Role, 'roleId'>, id: string): RoleRecord => ({
  id,
  organisationId: role.organisationId,
  name: role.definition.name,
  overallThreshold: role.definition.overallThreshold,
  dimensions: role.definition.dimensions,
  ticketIds: role.definition.ticketIds,
  questions: role.definition.questions,
  version: role.version,
  status: role.status,
  createdAt: role.createdAt,
  updatedAt: role.updatedAt,
});

export const roleSchema = (): JsonSchema =>
  component(
    'RoleRecord',
    objectOf({
      id: uuid,
      organisationId: uuid,
      name: text,
      overallThreshold: integer,
      dimensions: listOf(
        objectOf({
          id: uuid,
          name: text,
          weight: integer,
          category: text,
          threshold: nullable(integer),
          rubric: nullable(text),
        }),
      ),
      ticketIds: listOf(text),
      questions: listOf(objectOf({ text, dimensionName: nullable(text) })),
      version: integer,
      status: oneOf('draft', 'ready'),
      createdAt: instant,
      updatedAt: instant,
    }),
  );

const ORDERS = ['createdAt'] as const;

@Controller('organisations/:orgId/roles')
export class RolesController {
  constructor(private readonly reads: Reads) {}

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
