import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  addMember,
  currentRole,
  type MemberName,
  organisation,
  type OrganisationState,
} from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';

/** Adds a member at the end of the list: by e-mail, bound to a subject at the first sign-in, or by subject. */
export class AddMember extends UseCase<
  OrganisationState,
  { readonly organisationId: string; readonly name: MemberName; readonly role: MemberRole }
> {
  readonly name = 'AddMember';
}

@CommandHandler(AddMember)
export class AddMemberHandler implements ICommandHandler<AddMember> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly hasher: KeyedHasher,
  ) {}

  execute({ context, input }: AddMember): Promise<Handled<OrganisationState>> {
    const { organisationId, name, role } = input;
    const memberId = context.newId('member') as PersonId;
    return this.streams.handle(organisation, organisationId, context, async (before) => {
      const actorRole = currentRole(before, context.actor.id);
      const decision = addMember(before, { actorRole, memberId, name, role });
      // Only an addition that will be tried needs a key, and needs it before its event.
      if (decision.kind === 'accepted') await this.makeFindable(organisationId, memberId, name);
      return decision;
    });
  }

  private async makeFindable(organisationId: string, person: PersonId, { email }: MemberName): Promise<void> {
    await this.vault.keys.create(person);
    const ref = { person, kind: 'member', organisationId } as const;
    if (email !== null) await this.vault.carriers.add(this.hasher.emailHash(email), ref);
  }
}
