import { describe, it } from '@jest/globals';
import type { PersonId } from '../src/core/vault/port.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { apiKeys } from './api-keys.js';

const at = '2026-03-01T09:00:00.000Z';
const later = '2026-03-02T09:00:00.000Z';
const expiresAt = '2026-05-30T09:00:00.000Z';
const ids = { organisationId: 'o', apiKeyId: 'k' };
const created: Given = {
  type: 'api_key.created',
  data: { ...ids, memberId: 'm', scopes: ['roles.read'], expiresAt },
  person: 'k',
  personal: { name: 'Applicant tracking' },
  actor: { type: 'staff', id: 'olga' },
  at,
};
const revoked: Given = { type: 'api_key.revoked', data: ids, at: later };
const whole = {
  organisationId: 'o',
  memberId: 'm',
  scopes: ['roles.read' as const],
  createdAt: at,
  createdBy: 'olga',
  expiresAt,
  revokedAt: null,
  person: 'k' as PersonId,
  personal: { name: 'Applicant tracking' },
};

describe('an API key', () => {
  it('is listed in its organisation', () => {
    givenView(apiKeys, [created]).then('k', whole).thenKey('k', 'byOrganisation', ['o', at]);
  });

  it('stays in the list once it is revoked', () => {
    givenView(apiKeys, [created, revoked])
      .then('k', { ...whole, revokedAt: later })
      .thenKey('k', 'byOrganisation', ['o', at])
      .sameWhateverThePages();
  });

  it('has no name once that can no longer be read', () => {
    givenView(apiKeys, [{ ...created, personal: null }, revoked]).thenMatches('k', {
      personal: null,
      scopes: ['roles.read'],
    });
  });
});
