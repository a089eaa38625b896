import { Inject, Injectable } from '@nestjs/common';
import { type RoleDocument, roles } from '../../../projections/roles.js';
import { Reads } from '../../application/reads.js';
import { PARTICIPANTS } from '../../application/sessions/consent-notice.js';
import { type TicketSetup, ticketSetups } from '../../application/tickets/ticket-versions.js';
import type { UseCase } from '../../application/use-case.js';
import { CommandStreams } from '../../core/handle.js';
import {
  Enumeration,
  Instant,
  Named,
  Nullable,
  Ordinal,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import { missingIn, type Role, type RoleState } from '../../domain/role/decider.js';
import { AI_POLICY, ROLE_STATUSES, RoleDefinition } from '../../domain/role/events.js';
import { type Answer, created, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import type { RequestMeta } from '../../http/meta.js';
import { ErrorDetailRecord } from '../../http/openapi/responses.js';
import type { Participants } from '../../languages/en/shapes.js';
import { setupOf } from '../../scoring/evidence/work.js';
import { measuresOf, type ServiceSetup } from '../../scoring/measures.js';
import { Commands } from '../cqrs/commands.js';

/** A role as every path returns it. */
export type RoleRecord = Static<typeof RoleRecord>;
export const RoleRecord = Named('Role', {
  id: Uuid,
  organisationId: Uuid,
  ...RoleDefinition.properties,
  aiPolicy: Nullable(AI_POLICY),
  version: Ordinal,
  status: Enumeration('RoleStatus', ROLE_STATUSES),
  archivedAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Since when nobody can be invited to it; `null`: not archived.',
    }),
  ),
  missing: Type.Array(ErrorDetailRecord, {
    description: 'What a draft lacks to be ready: the rule that a field breaks, as a sentence.',
  }),
  createdAt: Instant,
  updatedAt: Instant,
  warnings: Type.Array(Type.String(), {
    description:
      'What the role cannot measure, or not by checked evidence: a sentence each. It can be used all the same. Its tickets count as they are now: `version` and `ETag` do not count their changes, so a conditional read of a role with tickets is answered in full.',
  }),
});

/**
 * @param tickets the role's that are there
 * @param uses what the service measures with
 */
export const roleRecord = (
  role: Omit<Role, 'roleId'>,
  id: string,
  tickets: readonly TicketSetup[],
  uses: ServiceSetup,
): RoleRecord => ({
  id,
  organisationId: role.organisationId,
  ...role.definition,
  aiPolicy: role.definition.aiPolicy ?? null,
  version: role.version,
  status: role.status,
  archivedAt: role.archivedAt,
  missing: [...missingIn(role.definition)],
  createdAt: role.createdAt,
  updatedAt: role.updatedAt,
  warnings: measuresOf(role.definition, setupOf(role.definition.ticketIds, tickets), uses).flatMap(
    ({ warning }) => warning ?? [],
  ),
});

/** Roles as an organisation's staff read and change them. */
@Injectable()
export class StaffRoles {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    @Inject(PARTICIPANTS) private readonly participants: Participants,
  ) {}

  /** @throws {ApiError} the organisation has no role with that id, which may be any text */
  async find(organisationId: string, roleId: string, meta: RequestMeta): Promise<RoleDocument> {
    const found = await this.reads.get(roles, roleId, meta);
    if (found?.document.organisationId !== organisationId) throw notFound('There is no such role.');
    return found.document;
  }

  /** The record of a role, with what its tickets let it measure now. */
  async record(role: Omit<Role, 'roleId'>, id: string): Promise<RoleRecord> {
    const { organisationId, definition } = role;
    const tickets = await ticketSetups(this.streams, { organisationId, role: definition });
    return roleRecord(role, id, tickets, this.participants);
  }

  /** Answers with the role that the command changes. @throws {ApiError} it is refused */
  async change(command: UseCase<RoleState, unknown>): Promise<Answer<RoleRecord>> {
    const { state, consistencyToken } = await this.commands.execute(command);
    const record = await this.record(state, state.roleId);
    return ok(record, { version: record.version, consistencyToken });
  }

  /** Answers with the role that the command makes. @throws {ApiError} it is refused */
  async make(command: UseCase<RoleState, unknown>): Promise<Answer<RoleRecord>> {
    const { state, consistencyToken } = await this.commands.execute(command);
    const { organisationId, roleId, version } = state;
    const record = await this.record(state, roleId);
    return created(`/organisations/${organisationId}/roles/${roleId}`, record, { version, consistencyToken });
  }
}
