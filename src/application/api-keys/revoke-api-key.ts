import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { apiKeysDecider, type ApiKeysState, revokeApiKey } from '../../domain/api-key/decider.js';
import { UseCase } from '../use-case.js';

/** Revokes an API key: no request with it is answered any more. */
export class RevokeApiKey extends UseCase<
  ApiKeysState,
  { readonly organisationId: string; readonly apiKeyId: string }
> {
  readonly name = 'RevokeApiKey';
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RevokeApiKey): Promise<Handled<ApiKeysState>> {
    return this.streams.handle(apiKeysDecider, input.organisationId, context, (state) =>
      revokeApiKey(state, input),
    );
  }
}
