import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { archiveRole, type RoleState } from '../../domain/role/decider.js';
import { UseCase } from '../use-case.js';
import { onRole, type RoleOf } from './on-role.js';

/** Archives a role, or takes it out of the archive: `archived` says which. */
export class ArchiveRole extends UseCase<RoleState, RoleOf & { readonly archived: boolean }> {
  readonly name = 'ArchiveRole';
}

@CommandHandler(ArchiveRole)
export class ArchiveRoleHandler implements ICommandHandler<ArchiveRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: ArchiveRole): Promise<Handled<RoleState>> {
    const { archived } = input;
    const { expectedVersion } = context;
    return onRole(this.streams, input, context, (before) =>
      archiveRole(before, { archived, expectedVersion }),
    );
  }
}
