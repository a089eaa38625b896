import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CommandStreams } from '../../core/handle.js';
import type { KeyedHash } from '../../core/keyed-hash.js';
import { apiKeyOf, apiKeysDecider, holderOf } from '../../domain/api-key/decider.js';
import type { PersonRef, Vault } from '../../vault/port.js';
import type { ApiKeyHolders, Member } from '../caller.js';
import { Rosters } from '../organisations/memberships.js';
import { VAULT } from '../tokens.js';
import { ApiKeyTokens } from './tokens.js';
import { ApiKeyUses } from './uses.js';

/**
 * API keys by the tokens that programs send. Each request is admitted by the streams of the organisation and of its keys
 * as they are at the call: a revocation, the maker's removal or another role of the maker counts at once, in every
 * process. While the log cannot be reached, no request with a key is admitted.
 */
@Injectable()
export class HeldApiKeys implements ApiKeyHolders {
  /** The key of a token never changes. An entry expires after 1 s, as a person's cached key does. */
  private readonly lookedUp = new LRUCache<KeyedHash, PersonRef>({ max: 10_000, ttl: 1_000 });

  constructor(
    @Inject(VAULT) private readonly vault: Pick<Vault, 'carriers'>,
    private readonly tokens: ApiKeyTokens,
    private readonly streams: CommandStreams,
    private readonly rosters: Rosters,
    private readonly uses: ApiKeyUses,
  ) {}

  async find(
    token: string,
    now = new Date(),
  ): Promise<{ readonly organisationId: string; readonly member: Member } | null> {
    const found = await this.lookUp(token);
    if (!found) return null;
    const { organisationId, person } = found;
    const [{ state }, { members }] = await Promise.all([
      this.streams.read(apiKeysDecider, organisationId),
      this.rosters.now(organisationId),
    ]);
    const holder = holderOf(apiKeyOf(state, person), members, now);
    if (!holder) return null;
    const { memberId, role } = holder;
    const { apiKeyId: subject, scopes } = holder.apiKey;
    this.uses.record(subject, now);
    return { organisationId, member: { memberId, subject, role, apiKey: { scopes } } };
  }

  private async lookUp(token: string): Promise<PersonRef | undefined> {
    const hash = this.tokens.hashOf(token);
    const known = this.lookedUp.get(hash);
    if (known) return known;
    const [found] = await this.vault.carriers.list(hash);
    if (found) this.lookedUp.set(hash, found);
    return found;
  }
}
