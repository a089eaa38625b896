import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  createOrganisation,
  organisation,
  type OrganisationState,
} from '../../domain/organisation/decider.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';

/** Creates an organisation with its first owner, who is bound at the first sign-in. */
export class CreateOrganisation extends UseCase<
  OrganisationState,
  { readonly organisationId: string; readonly name: string; readonly ownerEmail: string }
> {
  readonly name = 'CreateOrganisation';
}

@CommandHandler(CreateOrganisation)
export class CreateOrganisationHandler implements ICommandHandler<CreateOrganisation> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys' | 'carriers'>,
    private readonly hasher: KeyedHasher,
  ) {}

  async execute({ context, input }: CreateOrganisation): Promise<Handled<OrganisationState>> {
    const { organisationId, name, ownerEmail: email } = input;
    const memberId = context.newId('member') as PersonId;
    return this.streams.handle(organisation, organisationId, context, async (before) => {
      const owner = { memberId, email };
      const decision = createOrganisation(before, { organisationId, name, owner });
      // Only a creation that will be tried needs a key, and needs it before its event.
      if (decision.kind === 'accepted') {
        await this.vault.keys.create(memberId);
        const ref = { person: memberId, kind: 'member', organisationId } as const;
        await this.vault.carriers.add(this.hasher.emailHash(email), ref);
      }
      return decision;
    });
  }
}
