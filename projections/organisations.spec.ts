import { it } from '@jest/globals';
import { givenView } from '../test/support/given-view.js';
import { organisations } from './organisations.js';

const at = '2026-03-01T09:00:00.000Z';
const data = { organisationId: 'o', name: 'Acme', recordAudio: false, retentionDays: null };
const candidateResults = 'result';

it('an organisation has its settings, and a version that only they raise', () => {
  givenView(organisations, [
    { type: 'organisation.created', data, at },
    { type: 'member.added', data: { organisationId: 'o', memberId: 'm', role: 'owner', subject: null } },
    { type: 'organisation.updated', data: { ...data, name: 'Acme Ltd', candidateResults } },
  ])
    .then('o', { ...data, name: 'Acme Ltd', candidateResults, version: 2, createdAt: at })
    .sameWhateverThePages();
});

it('an organisation from before candidates could be shown results shows them nothing', () => {
  givenView(organisations, [{ type: 'organisation.created', data, at }]).then('o', {
    ...data,
    candidateResults: 'nothing',
    version: 1,
    createdAt: at,
  });
});
