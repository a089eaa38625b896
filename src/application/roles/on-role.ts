import { validate as isUuid } from 'uuid';
import type { RequestContext } from '../../core/command-context.js';
import type { Decision } from '../../core/decider.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { type DefinitionInput, NO_ROLE, role, type Role, type RoleState } from '../../domain/role/decider.js';
import type { RoleEvent } from '../../domain/role/events.js';

/** A role of an organisation. The id may be any text. */
export interface RoleOf {
  readonly organisationId: string;
  readonly roleId: string;
}

/** Carries out a command on a role, which is not found unless it is of that organisation. */
export const onRole = async (
  streams: CommandStreams,
  { organisationId, roleId }: RoleOf,
  context: RequestContext,
  decide: (state: Role) => Decision<RoleEvent>,
): Promise<Handled<RoleState>> => {
  // Only an id may go into a stream's name.
  if (!isUuid(roleId)) return NO_ROLE;
  return streams.handle(role, roleId, context, (before) =>
    before?.organisationId === organisationId ? decide(before) : NO_ROLE,
  );
};

/** An id for each dimension: those that have one already keep it. */
export const dimensionIdsFor = (
  context: RequestContext,
  { dimensions }: DefinitionInput,
): readonly string[] => dimensions.map((_, index) => context.newId(`dimension ${index}`));
