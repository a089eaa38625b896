import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../app/commands/context.js';
import { refuse } from '../../event-store/decider.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import { role, type RoleState, updateRole } from '../decider.js';
import type { DefinitionInput } from '../definition.js';

export class UpdateRole extends Command<Handled<RoleState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly roleId: string,
    readonly definition: DefinitionInput,
  ) {
    super();
  }
}

@CommandHandler(UpdateRole)
export class UpdateRoleHandler implements ICommandHandler<UpdateRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, roleId, definition }: UpdateRole): Promise<Handled<RoleState>> {
    const { expectedVersion } = context;
    const dimensionIds = definition.dimensions.map((_, index) => context.newId(`dimension ${index}`));
    return this.streams.handle(role, streamName('role', roleId), context, (state) =>
      state?.organisationId === organisationId
        ? updateRole(state, { definition, dimensionIds, expectedVersion })
        : refuse('not_found', 'There is no such role.'),
    );
  }
}
