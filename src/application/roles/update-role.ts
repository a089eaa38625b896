import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { NO_ROLE, role, type RoleState, updateRole } from '../../domain/role/decider.js';
import { UseCase } from '../use-case.js';
import { dimensionIdsFor, type RoleInput } from './create-role.js';

/** Replaces a role's definition. The id may be any text. */
export class UpdateRole extends UseCase<RoleState, RoleInput & { readonly roleId: string }> {
  readonly name = 'UpdateRole';
}

@CommandHandler(UpdateRole)
export class UpdateRoleHandler implements ICommandHandler<UpdateRole> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, input }: UpdateRole): Promise<Handled<RoleState>> {
    const { organisationId, roleId, definition } = input;
    // Only an id may go into a stream's name.
    if (!isUuid(roleId)) return NO_ROLE;
    const { expectedVersion } = context;
    const dimensionIds = dimensionIdsFor(context, definition);
    return this.streams.handle(role, streamName(role.kind, roleId), context, (before) =>
      before?.organisationId === organisationId
        ? updateRole(before, { definition, dimensionIds, expectedVersion })
        : NO_ROLE,
    );
  }
}
