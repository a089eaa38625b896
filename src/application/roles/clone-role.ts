import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { nameOfCopy, NO_ROLE, role, type RoleState } from '../../domain/role/decider.js';
import { UseCase } from '../use-case.js';
import { beginRole } from './create-role.js';
import type { RoleOf } from './on-role.js';

/** Makes a new role with the definition of another one. `newName` `null`: the other's name, marked as a copy. */
export class CloneRole extends UseCase<RoleState, RoleOf & { readonly newName: string | null }> {
  readonly name = 'CloneRole';
}

@CommandHandler(CloneRole)
export class CloneRoleHandler implements ICommandHandler<CloneRole> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, input }: CloneRole): Promise<Handled<RoleState>> {
    const { organisationId, roleId, newName } = input;
    // Only an id may go into a stream's name.
    if (!isUuid(roleId)) return NO_ROLE;
    const { state: original } = await this.streams.read(role, roleId);
    if (original?.organisationId !== organisationId) return NO_ROLE;
    const { definition } = original;
    const name = newName ?? nameOfCopy(definition.name);
    return beginRole(this.streams, context, { organisationId, definition: { ...definition, name } });
  }
}
