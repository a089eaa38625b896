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
} from '../../core/json-schema.js';
import type { Role } from '../../domain/role/decider.js';
import type { RoleDefinition, RoleStatus } from '../../domain/role/events.js';

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
