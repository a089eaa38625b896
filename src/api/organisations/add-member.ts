import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { VAULT } from '../../process/tokens.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';
import {
  addMember,
  organisation,
  type OrganisationState,
  type MemberName,
  standingRole,
} from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';

export class AddMember extends Command<Handled<OrganisationState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly name: MemberName,
    readonly role: MemberRole,
  ) {
    super();
  }
}

@CommandHandler(AddMember)
export class AddMemberHandler implements ICommandHandler<AddMember> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly hasher: KeyedHasher,
  ) {}

  execute({ context, organisationId, name, role }: AddMember): Promise<Handled<OrganisationState>> {
    const memberId = context.newId('member') as PersonId;
    return this.streams.handle(
      organisation,
      streamName('organisation', organisationId),
      context,
      async (state) => {
        const actorRole = standingRole(state, context.actor.id);
        const decision = addMember(state, { actorRole, memberId, name, role });
        // Only an addition that will be tried needs a key, and needs it before its event.
        if (decision.kind === 'accepted') await this.makeFindable(organisationId, memberId, name);
        return decision;
      },
    );
  }

  private async makeFindable(organisationId: string, memberId: PersonId, name: MemberName): Promise<void> {
    await this.vault.keys.create(memberId);
    if (name.email !== null)
      await this.vault.carriers.add(this.hasher.emailHash(name.email), {
        person: memberId,
        kind: 'member',
        organisationId,
      });
  }
}
