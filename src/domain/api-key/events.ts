import { type EventIn, eventType, eventsOf } from '../../core/registry.js';
import type { Permission } from '../organisation/permissions.js';

/**
 * Stored names and latest shapes of an organisation's API keys (`api_keys-<organisation>`): the storage contract. A key
 * is a person of its own in the vault, which holds the hash of its token; its name is sealed under that person's key.
 */

export interface ApiKeyIds {
  readonly organisationId: string;
  readonly apiKeyId: string;
}

/** What a key may be allowed to do: a permission. */
export type Scope = Permission;

export const apiKeyEvents = {
  'api_key.created': eventType<
    ApiKeyIds & {
      /** The membership that it belongs to. */
      readonly memberId: string;
      readonly scopes: readonly Scope[];
      readonly expiresAt: string;
    },
    { readonly name: string }
  >(),
  'api_key.revoked': eventType<ApiKeyIds>(),
};

export type ApiKeyEvent = EventIn<typeof apiKeyEvents>;
export const apiKeyEvent = eventsOf<typeof apiKeyEvents>();
