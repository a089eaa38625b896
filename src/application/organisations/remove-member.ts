import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  currentRole,
  type Organisation,
  organisation,
  type OrganisationState,
  removeMember,
} from '../../domain/organisation/decider.js';
import { savedViewsDecider } from '../../domain/saved-view/decider.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';

/** Removes a member, who is named as in `ChangeMemberRole`. Their saved views that are not shared are destroyed. */
export class RemoveMember extends UseCase<
  OrganisationState,
  { readonly organisationId: string; readonly member: string }
> {
  readonly name = 'RemoveMember';
}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  async execute({ context, input }: RemoveMember): Promise<Handled<OrganisationState>> {
    const { organisationId, member } = input;
    const { expectedVersion, actor } = context;
    const handled = await this.streams.handle(organisation, organisationId, context, (before) =>
      removeMember(before, { actorRole: currentRole(before, actor.id), member, expectedVersion }),
    );
    if (handled.kind === 'done' && handled.state !== null) await this.forgetSavedViews(handled.state);
    return handled;
  }

  /**
   * Destroys the keys of saved views that were a former member's alone. No member can see them any more. If the process
   * ends before this, the next removal destroys them.
   */
  private async forgetSavedViews({ organisationId, members }: Organisation): Promise<void> {
    const { state } = await this.streams.read(savedViewsDecider, organisationId);
    const present = new Set<string>(members.map(({ memberId }) => memberId));
    for (const { savedViewId, memberId, shared, name } of state)
      if (!shared && name !== null && !present.has(memberId))
        await this.vault.keys.erase(savedViewId as PersonId);
  }
}
