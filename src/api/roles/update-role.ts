import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import type { RequestContext } from '../../core/command-context.js';
import { refuse } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { role, type RoleState, updateRole } from '../../domain/role/decider.js';
import type { DefinitionInput } from '../../domain/role/definition.js';

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

const NO_ROLE = refuse('not_found', 'There is no such role.');

@CommandHandler(UpdateRole)
export class UpdateRoleHandler implements ICommandHandler<UpdateRole> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, organisationId, roleId, definition }: UpdateRole): Promise<Handled<RoleState>> {
    // The id is the path's own text: only an id may go into a stream's name.
    if (!isUuid(roleId)) return NO_ROLE;
    const { expectedVersion } = context;
    const dimensionIds = definition.dimensions.map((_, index) => context.newId(`dimension ${index}`));
    return this.streams.handle(role, streamName('role', roleId), context, (state) =>
      state?.organisationId === organisationId
        ? updateRole(state, { definition, dimensionIds, expectedVersion })
        : NO_ROLE,
    );
  }
}
