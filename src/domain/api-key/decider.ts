import {
  accept,
  type Decider,
  type Decision,
  type Problem,
  refuse,
  refuseInvalid,
} from '../../core/decider.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Member } from '../organisation/decider.js';
import type { MemberRole } from '../organisation/events.js';
import { may, type Permission, permissionsOf, SCOPES } from '../organisation/permissions.js';
import { apiKeyEvent, type ApiKeyEvent, type ApiKeyIds } from './events.js';

/** A key by which a program calls the service in place of the member who made it. */
export interface ApiKey extends ApiKeyIds {
  /** `null` once it can no longer be read. */
  readonly name: string | null;
  /** The membership that it ends with. */
  readonly memberId: string;
  readonly scopes: readonly Permission[];
  readonly createdAt: string;
  /** The subject of its maker. */
  readonly createdBy: string;
  readonly expiresAt: string;
  /** `null`: it was not revoked. */
  readonly revokedAt: string | null;
}

/** An organisation's keys, oldest first, with those that have ended. */
export type ApiKeysState = readonly ApiKey[];

/** Folds the stream `api_keys-<organisationId>`. */
export const apiKeysDecider: Decider<ApiKeysState, ApiKeyEvent> = {
  kind: 'api_keys',
  initial: [],
  evolve(state, event) {
    const { recordedAt, actor } = event.metadata;
    if (event.type === 'api_key.created') {
      const name = event.personal?.name ?? null;
      return [...state, { ...event.data, name, createdAt: recordedAt, createdBy: actor.id, revokedAt: null }];
    }
    const { apiKeyId } = event.data;
    return state.map((key) => (key.apiKeyId === apiKeyId ? { ...key, revokedAt: recordedAt } : key));
  },
};

/** The key by that id; `undefined`: the organisation never had it. */
export const apiKeyOf = (state: ApiKeysState, id: string): ApiKey | undefined =>
  state.find(({ apiKeyId }) => apiKeyId === id);

/** Whether a key is neither revoked nor expired. It expires at `expiresAt` itself. Its maker may have left. */
export const isOpen = (
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean => revokedAt === null && now.getTime() < Date.parse(expiresAt);

/**
 * The member that a program with this key acts as: the key's maker. `null`: the key has ended, or its maker is no member
 * any more.
 */
export const holderOf = (
  apiKey: ApiKey | undefined,
  members: readonly Pick<Member, 'memberId' | 'role'>[],
  now: Date,
): (Pick<Member, 'memberId' | 'role'> & { readonly apiKey: ApiKey }) | null => {
  const maker = apiKey && members.find(({ memberId }) => memberId === apiKey.memberId);
  return maker && isOpen(apiKey, now) ? { memberId: maker.memberId, role: maker.role, apiKey } : null;
};

/** Default validity, in days. */
export const DEFAULT_DAYS = 90;
/** Longest validity, in days, so that a forgotten key expires some day. */
export const MAX_DAYS = 365;
/** Maximum number of keys of an organisation that are valid at once. */
export const MAX_API_KEYS = 100;

export interface CreateApiKey extends ApiKeyIds {
  readonly name: string;
  /** Unchecked: each may be any text. */
  readonly scopes: readonly string[];
  /** 1 to `MAX_DAYS`, checked before. */
  readonly expiresInDays: number;
  /** The caller's membership as its stream has it; `undefined`: it has ended. */
  readonly maker: { readonly memberId: string; readonly role: MemberRole } | undefined;
  /** The organisation's members. A key whose maker is not among them has ended. */
  readonly members: readonly Pick<Member, 'memberId' | 'role'>[];
  readonly now: Date;
}

/** Makes a key. Its scopes may only name permissions that its maker has. */
export const createApiKey = (state: ApiKeysState, input: CreateApiKey): Decision<ApiKeyEvent> => {
  const { organisationId, apiKeyId, name, scopes, maker, members, now } = input;
  if (!maker || !may(maker.role, 'keys.manage'))
    return refuse<'forbidden'>('forbidden', 'Your role does not let you make API keys.');
  const problems = scopeProblems(scopes, maker.role);
  if (problems.length > 0) return refuseInvalid(problems);
  if (state.filter((key) => holderOf(key, members, now)).length >= MAX_API_KEYS)
    return refuse(
      'conflict',
      `An organisation has at most ${MAX_API_KEYS} API keys that are valid: revoke one first.`,
    );
  const expiresAt = new Date(now.getTime() + input.expiresInDays * DAY_MS).toISOString();
  const { memberId } = maker;
  return accept(
    apiKeyEvent(
      'api_key.created',
      { organisationId, apiKeyId, memberId, scopes: scopes.filter(isScope), expiresAt },
      apiKeyId as PersonId,
      { name },
    ),
  );
};

const isScope = (text: string): text is Permission => (SCOPES as readonly string[]).includes(text);

const scopeProblems = (scopes: readonly string[], role: MemberRole): readonly Problem[] => {
  if (scopes.length === 0)
    return [{ path: 'scopes', rule: 'min', message: 'scopes must name at least one permission.' }];
  const possible: readonly string[] = SCOPES.filter((scope) => permissionsOf(role).includes(scope));
  // One problem instead of one for each item of a large body.
  if (scopes.length > possible.length)
    return [
      {
        path: 'scopes',
        rule: 'max',
        message: `scopes must name each of the ${possible.length} possible permissions once at most.`,
      },
    ];
  return scopes.flatMap((scope, index): Problem[] => {
    const path = `scopes[${index}]`;
    const known = `${path} must be one of: ${possible.join(', ')}.`;
    if (!possible.includes(scope)) return [{ path, rule: 'oneOf', message: known }];
    if (scopes.indexOf(scope) === index) return [];
    return [{ path, rule: 'distinct', message: `${path} names ${scope} a second time.` }];
  });
};

/** Revokes a key for good; a revoked one stays as it is. */
export const revokeApiKey = (
  state: ApiKeysState,
  { apiKeyId }: Pick<ApiKeyIds, 'apiKeyId'>,
): Decision<ApiKeyEvent> => {
  const key = apiKeyOf(state, apiKeyId);
  if (!key) return refuse('not_found', 'There is no such API key.');
  const { organisationId } = key;
  return key.revokedAt === null
    ? accept(apiKeyEvent('api_key.revoked', { organisationId, apiKeyId }))
    : accept();
};
