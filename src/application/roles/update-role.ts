import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { type RoleState, updateRole } from '../../domain/role/decider.js';
import { UseCase } from '../use-case.js';
import type { RoleInput } from './create-role.js';
import { dimensionIdsFor, onRole, type RoleOf } from './on-role.js';

/** Replaces a role's definition. */
export class UpdateRole extends UseCase<RoleState, RoleInput & RoleOf> {
  readonly name = 'UpdateRole';
}

@CommandHandler(UpdateRole)
export class UpdateRoleHandler implements ICommandHandler<UpdateRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: UpdateRole): Promise<Handled<RoleState>> {
    const { definition } = input;
    const { expectedVersion } = context;
    const dimensionIds = dimensionIdsFor(context, definition);
    return onRole(this.streams, input, context, (before) =>
      updateRole(before, { definition, dimensionIds, expectedVersion }),
    );
  }
}
