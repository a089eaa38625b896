import { describe, it } from '@jest/globals';
import type { PersonId } from '../src/core/vault/port.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { candidates } from './candidates.js';

const ids = { organisationId: 'o', candidateId: 'c' };
const invited = (email: string | null): Given => ({
  type: 'candidate.invited',
  data: ids,
  person: 'c',
  personal: email === null ? null : { email },
});
const bound: Given = { type: 'candidate.bound', data: ids, person: 'c', personal: { subject: 's' } };
const plain = { ...ids, erased: false, person: 'c' as PersonId };

describe('a candidate', () => {
  it('is known by the address as first written, then by subject as well', () => {
    givenView(candidates, [invited('Cy@x.org')]).then('c', {
      ...plain,
      bound: false,
      personal: { email: 'Cy@x.org', subject: null },
    });
    givenView(candidates, [invited('Cy@x.org'), bound, invited('CY@X.ORG')]).then('c', {
      ...plain,
      bound: true,
      personal: { email: 'Cy@x.org', subject: 's' },
    });
  });

  it('whose data can no longer be read stays bound', () => {
    givenView(candidates, [invited(null), { ...bound, personal: null }]).then('c', {
      ...plain,
      bound: true,
      personal: null,
    });
  });

  it('is nobody any more once erased, and stays found as such', () => {
    const erased: Given = { type: 'candidate.erased', data: { ...ids, cause: 'staff' }, person: 'c' };
    givenView(candidates, [invited('Cy@x.org'), bound, erased]).then('c', {
      ...plain,
      bound: true,
      erased: true,
      personal: null,
    });
  });
});
