import { describe, expect, it } from '@jest/globals';
import { after, fold, NOW, specification, stored } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import { permissionsOf, SCOPES } from '../organisation/permissions.js';
import {
  apiKeyOf,
  apiKeysDecider,
  createApiKey,
  type CreateApiKey,
  isOpen,
  MAX_API_KEYS,
  revokeApiKey,
} from './decider.js';
import { apiKeyEvent, type ApiKeyEvent } from './events.js';

const DAY = 86_400_000;
const spec = specification(apiKeysDecider);
const input: CreateApiKey = {
  organisationId: 'o',
  apiKeyId: 'k',
  name: 'Applicant tracking',
  scopes: ['roles.read', 'candidates.invite'],
  expiresInDays: 90,
  maker: { memberId: 'm', role: 'admin' },
  members: [{ memberId: 'm' as PersonId, role: 'admin' }],
  now: new Date(NOW),
};
const made = (apiKeyId = 'k', days = 90): ApiKeyEvent =>
  apiKeyEvent(
    'api_key.created',
    {
      organisationId: 'o',
      apiKeyId,
      memberId: 'm',
      scopes: ['roles.read', 'candidates.invite'],
      expiresAt: after(days * DAY),
    },
    apiKeyId as PersonId,
    { name: 'Applicant tracking' },
  );
const revoked = apiKeyEvent('api_key.revoked', { organisationId: 'o', apiKeyId: 'k' });

describe('making an API key', () => {
  const create = (over: Partial<CreateApiKey> = {}, ...past: ApiKeyEvent[]) =>
    spec.given(...past).when((state) => createApiKey(state, { ...input, ...over }));

  it('makes one that is valid for as many days as are asked for, its name sealed as its own', () => {
    create().then(made());
    create({ expiresInDays: 1 }).then(made('k', 1));
  });

  it('takes every scope that there is from whoever may do all that', () => {
    create({ scopes: SCOPES }).events();
    create({ scopes: SCOPES, maker: { memberId: 'm', role: 'owner' } }).events();
  });

  it.each([
    [[], 'scopes'],
    [['nothing.such'], 'scopes[0]'],
    [['roles.read', 'roles.read'], 'scopes[1]'],
    [['Roles.read'], 'scopes[0]'],
    [['__proto__'], 'scopes[0]'],
    [['members.manage'], 'scopes[0]'],
    [['members.read'], 'scopes[0]'],
    [['owners.manage'], 'scopes[0]'],
    [['roles.read', 'keys.manage'], 'scopes[1]'],
    [Array.from({ length: 1_000 }, (_, n) => `x${n}`), 'scopes'],
  ])('is refused with the scopes %j', (scopes, path) => {
    create({ scopes }).thenRefused('validation_failed', path);
  });

  it('is refused whoever may not manage keys, or is no member any more', () => {
    create({ maker: { memberId: 'm', role: 'recruiter' } }).thenRefused('forbidden');
    create({ maker: { memberId: 'm', role: 'reviewer' }, scopes: ['nothing.such'] }).thenRefused('forbidden');
    create({ maker: undefined }).thenRefused('forbidden');
  });

  it('offers nothing to any role that the role itself may not', () => {
    for (const role of ['owner', 'admin'] as const)
      for (const scope of SCOPES) {
        const decision = createApiKey([], { ...input, scopes: [scope], maker: { memberId: 'm', role } });
        expect([role, scope, decision.kind]).toEqual([
          role,
          scope,
          permissionsOf(role).includes(scope) ? 'accepted' : 'refused',
        ]);
      }
  });

  it('has a limit, which counts no key that has ended', () => {
    const full = Array.from({ length: MAX_API_KEYS - 1 }, (_, n) => made(`k${n}`));
    create({ apiKeyId: 'new' }, ...full, made()).thenRefused('conflict');
    create({ apiKeyId: 'new' }, ...full, made(), revoked).then(made('new'));
    create({ apiKeyId: 'new', now: new Date(after(DAY)) }, ...full, made('k', 1)).then(made('new', 91));
  });

  it('has a limit, which counts no key that ended because its maker has left', () => {
    const full = Array.from({ length: MAX_API_KEYS }, (_, n) => made(`k${n}`));
    const maker = { memberId: 'successor' as PersonId, role: 'owner' } as const;
    const members = [{ memberId: 'm' as PersonId, role: 'reviewer' } as const, maker];
    create({ apiKeyId: 'new', maker, members }, ...full).thenRefused('conflict');
    expect(create({ apiKeyId: 'new', maker, members: [maker] }, ...full).events()).toHaveLength(1);
  });

  it('keeps who made it and when', () => {
    const by = { actor: { type: 'staff', id: 'olga' } } as const;
    const [key] = apiKeysDecider.evolve([], stored(made(), by));
    expect(key).toEqual({
      organisationId: 'o',
      apiKeyId: 'k',
      name: 'Applicant tracking',
      memberId: 'm',
      scopes: ['roles.read', 'candidates.invite'],
      createdAt: NOW,
      createdBy: 'olga',
      expiresAt: after(90 * DAY),
      revokedAt: null,
    });
  });

  it('leaves the key usable whose name can no longer be read', () => {
    const [key] = fold(apiKeysDecider, [{ ...made(), personal: null }]);
    expect(key).toMatchObject({ name: null, memberId: 'm' });
  });
});

describe('revoking an API key', () => {
  const revoke = (...past: ApiKeyEvent[]) =>
    spec.given(...past).when((state) => revokeApiKey(state, { apiKeyId: 'k' }));

  it('is for good, and of this one alone', () => {
    const when = revoke(made(), made('other'));
    when.then(revoked);
    expect(when.state().map(({ revokedAt }) => revokedAt)).toEqual([NOW, null]);
  });

  it('again changes nothing', () => revoke(made(), revoked).thenNothing());

  it('is refused for one that the organisation never had', () => {
    revoke().thenRefused('not_found');
    revoke(made('other')).thenRefused('not_found');
  });
});

it('a key is open to the last millisecond, unless it is revoked', () => {
  const open = (ms: number, ...past: ApiKeyEvent[]) =>
    isOpen(apiKeyOf(fold(apiKeysDecider, past), 'k')!, new Date(after(ms)));
  expect(open(0, made())).toBe(true);
  expect(open(90 * DAY - 1, made())).toBe(true);
  expect(open(90 * DAY, made())).toBe(false);
  expect(open(0, made(), revoked)).toBe(false);
});
