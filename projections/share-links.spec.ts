import { describe, it } from '@jest/globals';
import type { PersonId } from '../src/core/vault/port.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { shareLinks } from './share-links.js';

const ids = {
  organisationId: 'o',
  candidateId: 'c',
  applicationId: 'a',
  trialSessionId: 't',
  roleId: 'r',
  evaluationId: 'e',
  linkId: 'l',
};
const [made, taken, again] = [
  '2026-03-01T09:00:00.000Z',
  '2026-03-02T09:00:00.000Z',
  '2026-03-03T09:00:00.000Z',
];
const created: Given = {
  type: 'share_link.created',
  data: { ...ids, tokenHash: 'hash', expiresAt: '2026-03-31T09:00:00.000Z' },
  at: made,
  actor: { type: 'staff', id: 'olga' },
};
const viewed: Given = { type: 'share_link.viewed', data: ids, at: made };
const revoked = (at: string): Given => ({ type: 'share_link.revoked', data: ids, at });

describe('a share link', () => {
  it('is kept with who made it, how often it was used, and that it was taken back', () => {
    givenView(shareLinks, [created, viewed, viewed, revoked(taken), revoked(again)])
      .then('l', {
        organisationId: 'o',
        candidateId: 'c',
        evaluationId: 'e',
        linkId: 'l',
        tokenHash: 'hash',
        createdAt: made,
        createdBy: 'olga',
        expiresAt: '2026-03-31T09:00:00.000Z',
        revokedAt: taken,
        views: 2,
        person: null,
        personal: null,
      })
      .sameWhateverThePages();
  });

  it('is kept with what it is called, under its candidate’s key', () => {
    const person = 'c' as PersonId;
    const personal = { label: 'For the panel' };
    givenView(shareLinks, [{ ...created, person, personal }]).thenMatches('l', { person, personal });
  });

  it('is found by its token’s hash and listed by its evaluation, taken back too', () => {
    givenView(shareLinks, [created, revoked(taken)])
      .thenKey('l', 'byToken', ['hash'])
      .thenKey('l', 'byEvaluation', ['e', made]);
  });
});
