import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { createRole, role, type RoleState } from '../../domain/role/decider.js';
import type { DefinitionInput } from '../../domain/role/definition.js';

export class CreateRole extends Command<Handled<RoleState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly definition: DefinitionInput,
  ) {
    super();
  }
}

@CommandHandler(CreateRole)
export class CreateRoleHandler implements ICommandHandler<CreateRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, definition }: CreateRole): Promise<Handled<RoleState>> {
    const roleId = context.newRecordId('role');
    const dimensionIds = definition.dimensions.map((_, index) => context.newId(`dimension ${index}`));
    return this.streams.handle(role, streamName('role', roleId), context, (state) =>
      createRole(state, { organisationId, roleId, definition, dimensionIds }),
    );
  }
}
