import { Controller, Get, Param, Query } from '@nestjs/common';
import type { ListQuery } from '../../application/reads.js';
import { RoleVersions } from '../../application/roles/role-versions.js';
import { Enumeration, Instant, Named, Nullable, Ordinal, type Static, Type } from '../../core/json-schema.js';
import { changesBetween } from '../../domain/role/changes.js';
import { roleEvents } from '../../domain/role/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok, page } from '../../http/answer.js';
import { notFound, validationFailed } from '../../http/api-error.js';
import {
  badCursor,
  numberParameter,
  type Query as QueryString,
  requireQuery,
} from '../../http/list-query.js';
import { List } from '../../http/meta.js';
import { answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { ActorRecord } from '../audit/audit.js';

const RoleChangeRecord = Named('RoleChange', {
  path: Type.String({ description: 'As in `overallThreshold`, `notice.text` or `dimensions.weight`.' }),
  dimensionName: Nullable(Type.String({ description: 'Of the dimension that the change is about.' })),
  before: Type.Unknown({ description: 'As the role’s field has it; `null`: there was none.' }),
  after: Type.Unknown({ description: 'As the role’s field has it; `null`: there is none any more.' }),
});

const RoleVersionRecord = Named('RoleVersion', {
  version: Ordinal,
  at: Instant,
  actor: ActorRecord,
  action: Enumeration('RoleAction', Object.keys(roleEvents) as (keyof typeof roleEvents)[]),
  changes: Type.Array(RoleChangeRecord, {
    description: 'What differs from the definition of the version before; none of the first.',
  }),
});

const RoleDifference = Named('RoleDifference', {
  from: Ordinal,
  to: Ordinal,
  changes: Type.Array(RoleChangeRecord),
});

const FROM = { ...numberParameter('from', 'The version that is compared.'), required: true, example: 1 };
const TO = {
  ...numberParameter('to', 'The version that it is compared with.'),
  required: true,
  example: 1,
};

const operations = {
  list: {
    id: 'roles.listVersions',
    tag: 'Roles',
    summary: 'List the versions of a role',
    description:
      'Each version: who made it, when, and what changed. `GET …/roles/{roleId}?version=` reads one.',
    list: true,
    success: answersPage('Versions, newest first.', RoleVersionRecord),
  },
  compare: {
    id: 'roles.compareVersions',
    tag: 'Roles',
    summary: 'Compare two versions of a role',
    description: 'A dimension is the same one as long as its id is, also under another name.',
    query: [FROM, TO],
    success: { status: 200, description: 'What differs between their definitions.', schema: RoleDifference },
  },
} satisfies Operations;

@Controller('organisations/:orgId/roles/:roleId')
export class RoleVersionsController {
  constructor(private readonly versions: RoleVersions) {}

  @Get('versions')
  @StaffMay('roles.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @List() { limit, cursor }: ListQuery,
  ): Promise<Answer> {
    const before = cursor === null ? undefined : versionIn(cursor);
    const found = await this.versions.newest({ organisationId, roleId }, limit, before);
    if (found === null) throw notFound('There is no such role.');
    const { versions: items, hasMore } = found;
    const last = items.at(-1);
    return page({ items, nextCursor: last && hasMore ? cursorOf(last.version) : null }, (one) => one);
  }

  @Get('difference')
  @StaffMay('roles.read')
  @Operation(operations.compare)
  async compare(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Query() query: QueryString,
  ): Promise<Answer<Static<typeof RoleDifference>>> {
    const [from, to] = [requireQuery(query, FROM), requireQuery(query, TO)];
    const of = { organisationId, roleId };
    const [former, later] = [await this.versions.roleAt(of, from), await this.versions.roleAt(of, to)];
    if (!former || !later) throw notFound('There is no such version of the role.');
    return ok({ from, to, changes: [...changesBetween(former.definition, later.definition)] });
  }
}

/** The cursor of the page that begins before a version. */
const cursorOf = (version: number): string => Buffer.from(`before ${version}`).toString('base64url');

const versionIn = (cursor: string): number => {
  const version = Number(/^before ([1-9]\d{0,14})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  if (cursorOf(version) !== cursor || version < 2) throw validationFailed([badCursor]);
  return version;
};
