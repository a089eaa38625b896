import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { apiKeysDecider, type ApiKeysState, createApiKey } from '../../domain/api-key/decider.js';
import type { Vault } from '../../vault/port.js';
import { Rosters } from '../organisations/memberships.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';
import { ApiKeyTokens } from './tokens.js';

/** Makes a key by which a program calls the service in place of the caller. */
export class CreateApiKey extends UseCase<
  ApiKeysState,
  {
    readonly organisationId: string;
    readonly apiKeyId: string;
    readonly name: string;
    /** Unchecked: each may be any text. */
    readonly scopes: readonly string[];
    readonly expiresInDays: number;
  }
> {
  readonly name = 'CreateApiKey';
}

@CommandHandler(CreateApiKey)
export class CreateApiKeyHandler implements ICommandHandler<CreateApiKey> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly rosters: Rosters,
    private readonly tokens: ApiKeyTokens,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys' | 'carriers'>,
  ) {}

  execute({ context, input }: CreateApiKey): Promise<Handled<ApiKeysState>> {
    const { organisationId, apiKeyId } = input;
    return this.streams.handle(apiKeysDecider, organisationId, context, async (state) => {
      const { members } = await this.rosters.now(organisationId);
      const maker = members.find(({ subject }) => subject === context.actor.id);
      const decision = createApiKey(state, { ...input, maker, members, now: context.now });
      // Before its event: a process that ends in between leaves a hash that leads to no key.
      if (decision.kind === 'accepted') await this.makeFindable(organisationId, apiKeyId as PersonId);
      return decision;
    });
  }

  /** Creates the key under which the API key's name is sealed, and stores its token's hash, by which it is found. */
  private async makeFindable(organisationId: string, person: PersonId): Promise<void> {
    await this.vault.keys.create(person);
    const hash = this.tokens.hashOf(await this.tokens.tokenOf(person));
    await this.vault.carriers.add(hash, { person, kind: 'api_key', organisationId });
  }
}
