import { it } from '@jest/globals';
import { INITIAL_SETTINGS } from '../src/domain/organisation/events.js';
import { givenView } from '../test/support/given-view.js';
import { organisations } from './organisations.js';

const at = '2026-03-01T09:00:00.000Z';
const candidateResults = 'result';
const data = {
  organisationId: 'o',
  name: 'Acme',
  ...INITIAL_SETTINGS,
  candidateResults,
  timeZone: 'Europe/Berlin',
} as const;

it('an organisation has its settings, and a version that only they raise', () => {
  const logo = { id: 'l', type: 'image/png', width: 320, height: 96, sha256: 'a1' } as const;
  givenView(organisations, [
    { type: 'organisation.created', data, at },
    { type: 'member.added', data: { organisationId: 'o', memberId: 'm', role: 'owner', subject: null } },
    { type: 'organisation.updated', data: { ...data, name: 'Acme Ltd' } },
    { type: 'organisation.logo_changed', data: { organisationId: 'o', logo } },
  ])
    .then('o', { ...data, name: 'Acme Ltd', logo, version: 3, createdAt: at })
    .sameWhateverThePages();
});
