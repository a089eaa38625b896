import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { removeMember, organisation, type OrganisationState, standingRole } from '../../domain/organisation/decider.js';

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
      const actorRole = standingRole(state, context.actor.id);
      return removeMember(state, { actorRole, member, expectedVersion });
    });
  }
}
