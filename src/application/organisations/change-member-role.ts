import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import {
  changeMemberRole,
  currentRole,
  organisation,
  type OrganisationState,
} from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import { UseCase } from '../use-case.js';

/** Gives a member another role. */
export class ChangeMemberRole extends UseCase<
  OrganisationState,
  {
    readonly organisationId: string;
    /** The id, the subject, or the address of one who has not signed in yet. */
    readonly member: string;
    readonly role: MemberRole;
  }
> {
  readonly name = 'ChangeMemberRole';
}

@CommandHandler(ChangeMemberRole)
export class ChangeMemberRoleHandler implements ICommandHandler<ChangeMemberRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: ChangeMemberRole): Promise<Handled<OrganisationState>> {
    const { organisationId, member, role } = input;
    const { expectedVersion, actor } = context;
    return this.streams.handle(organisation, organisationId, context, (before) => {
      const actorRole = currentRole(before, actor.id);
      return changeMemberRole(before, { actorRole, member, role, expectedVersion });
    });
  }
}
