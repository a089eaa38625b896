import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { changeMemberRole, organisation, type OrganisationState, standingRole } from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';

export class ChangeMemberRole extends Command<Handled<OrganisationState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    /** The member's subject or, until that is known, e-mail address. */
    readonly member: string,
    readonly role: MemberRole,
  ) {
    super();
  }
}

@CommandHandler(ChangeMemberRole)
export class ChangeMemberRoleHandler implements ICommandHandler<ChangeMemberRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, member, role }: ChangeMemberRole): Promise<Handled<OrganisationState>> {
    const { expectedVersion } = context;
    return this.streams.handle(organisation, streamName('organisation', organisationId), context, (state) => {
      const actorRole = standingRole(state, context.actor.id);
      return changeMemberRole(state, { actorRole, member, role, expectedVersion });
    });
  }
}
