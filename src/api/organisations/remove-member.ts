import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Delete, Param } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  organisation,
  type OrganisationState,
  removeMember,
  currentRole,
} from '../../domain/organisation/decider.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, noContent } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';

export class RemoveMember extends Command<Handled<OrganisationState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    /** The member's subject or, until that is known, e-mail address. */
    readonly member: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, member }: RemoveMember): Promise<Handled<OrganisationState>> {
    const { expectedVersion } = context;
    return this.streams.handle(organisation, streamName('organisation', organisationId), context, (state) => {
      const actorRole = currentRole(state, context.actor.id);
      return removeMember(state, { actorRole, member, expectedVersion });
    });
  }
}

@Controller('organisations/:orgId/members/:subject')
export class RemoveMemberController {
  constructor(private readonly commands: Commands) {}

  @Delete()
  @StaffMay('members.manage')
  @Operation({
    id: 'members.remove',
    tag: 'Members',
    summary: 'Remove a member',
    success: { status: 204, description: 'The member is removed.' },
    conditional: true,
    errors: ['not_found', 'last_owner', 'conflict'],
  })
  async remove(
    @Param('orgId') organisationId: string,
    @Param('subject') key: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const command = new RemoveMember(context, organisationId, key);
    const { consistencyToken } = await this.commands.execute(command);
    return noContent({ consistencyToken });
  }
}
