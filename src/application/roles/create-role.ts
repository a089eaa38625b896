import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { createRole, type DefinitionInput, role, type RoleState } from '../../domain/role/decider.js';
import { UseCase } from '../use-case.js';
import { dimensionIdsFor } from './on-role.js';

export interface RoleInput {
  readonly organisationId: string;
  readonly definition: DefinitionInput;
}

/** Creates a role: as a draft if its definition breaks a rule of updates. */
export class CreateRole extends UseCase<RoleState, RoleInput> {
  readonly name = 'CreateRole';
}

@CommandHandler(CreateRole)
export class CreateRoleHandler implements ICommandHandler<CreateRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: CreateRole): Promise<Handled<RoleState>> {
    return beginRole(this.streams, context, input);
  }
}

/** Begins the stream of a new role. */
export const beginRole = (
  streams: CommandStreams,
  context: RequestContext,
  { organisationId, definition }: RoleInput,
): Promise<Handled<RoleState>> => {
  const roleId = context.newRecordId('role');
  const dimensionIds = dimensionIdsFor(context, definition);
  return streams.handle(role, roleId, context, (before) =>
    createRole(before, { organisationId, roleId, definition, dimensionIds }),
  );
};
