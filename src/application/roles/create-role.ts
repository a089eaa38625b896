import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { createRole, type DefinitionInput, role, type RoleState } from '../../domain/role/decider.js';
import { UseCase } from '../use-case.js';

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
    const { organisationId, definition } = input;
    const roleId = context.newRecordId('role');
    const dimensionIds = dimensionIdsFor(context, definition);
    return this.streams.handle(role, streamName(role.kind, roleId), context, (before) =>
      createRole(before, { organisationId, roleId, definition, dimensionIds }),
    );
  }
}

/** An id for each dimension: those that have one already keep it. */
export const dimensionIdsFor = (
  context: RequestContext,
  { dimensions }: DefinitionInput,
): readonly string[] => dimensions.map((_, index) => context.newId(`dimension ${index}`));
