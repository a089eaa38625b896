import { describe, it } from '@jest/globals';
import type { PersonId } from '../src/core/vault/port.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { members } from './members.js';

const since = '2026-03-01T09:00:00.000Z';
const ids = { organisationId: 'o', memberId: 'm' };
const added: Given = {
  type: 'member.added',
  data: { ...ids, role: 'admin', subject: null },
  person: 'm',
  personal: { email: 'Bo@x.org' },
  at: since,
};
const bound: Given = {
  type: 'member.bound',
  data: { ...ids, subject: 's' },
  person: 'm',
  personal: { email: 'Bo@x.org' },
};

describe('a member', () => {
  it('added by e-mail is listed, and found by subject only once bound', () => {
    givenView(members, [added])
      .then('o:m', {
        ...ids,
        role: 'admin',
        subject: null,
        signedIn: false,
        since,
        version: 1,
        removed: false,
        person: 'm' as PersonId,
        personal: { email: 'Bo@x.org' },
      })
      .thenKey('o:m', 'byOrganisation', ['o', since])
      .thenKey('o:m', 'bySubject', undefined);
    givenView(members, [added, bound])
      .thenMatches('o:m', { subject: 's', signedIn: true, version: 2, personal: { email: 'Bo@x.org' } })
      .thenKey('o:m', 'bySubject', ['s', 'o']);
  });

  it('keeps subject and address through a change of role', () => {
    givenView(members, [
      added,
      bound,
      { type: 'member.role_changed', data: { ...ids, role: 'owner', formerRole: 'admin' }, person: 'm' },
    ]).thenMatches('o:m', { role: 'owner', subject: 's', version: 3, personal: { email: 'Bo@x.org' } });
  });

  it('is gone once removed, address and all', () => {
    givenView(members, [added, bound, { type: 'member.removed', data: { ...ids, formerRole: 'admin' } }])
      .thenIds()
      .thenMatches('o:m', { personal: null })
      .thenKey('o:m', 'bySubject', undefined);
  });
});
