import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import {
  currentRole,
  organisation,
  type OrganisationState,
  removeMember,
} from '../../domain/organisation/decider.js';
import { UseCase } from '../use-case.js';

/** Removes a member, who is named as in `ChangeMemberRole`. */
export class RemoveMember extends UseCase<
  OrganisationState,
  { readonly organisationId: string; readonly member: string }
> {
  readonly name = 'RemoveMember';
}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RemoveMember): Promise<Handled<OrganisationState>> {
    const { organisationId, member } = input;
    const { expectedVersion, actor } = context;
    return this.streams.handle(organisation, organisationId, context, (before) =>
      removeMember(before, { actorRole: currentRole(before, actor.id), member, expectedVersion }),
    );
  }
}
