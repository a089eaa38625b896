import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { openTrials } from './open-trials.js';

const at = '2026-03-01T09:00:00.000Z';
const ids = { organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' };

describe('an open trial', () => {
  const invited: Given = { type: 'candidate.invited', data: { ...ids, expiresAt: at }, id: 'i1' };
  const later = '2026-03-02T09:00:00.000Z';

  it('is listed by the time at which it expires', () => {
    givenView(openTrials, [invited])
      .then('t', {
        ...ids,
        expiresAt: at,
        causedBy: 'i1',
        correlationId: 'correlation',
        open: true,
        interviewed: false,
      })
      .thenKey('t', 'byExpiry', [at]);
    givenView(openTrials, [invited, { type: 'trial.extended', data: { ...ids, expiresAt: later }, id: 'i2' }])
      .thenMatches('t', { causedBy: 'i2' })
      .thenKey('t', 'byExpiry', [later]);
    givenView(openTrials, [invited, { type: 'trial.started', data: ids }]).thenKey('t', 'byExpiry', [at]);
  });

  it('is gone once its interview has begun, and no extension brings it back', () => {
    const asked: Given = { type: 'interview.question_asked', data: ids };
    givenView(openTrials, [invited, { type: 'interview.connected', data: ids }]).thenIds('t');
    givenView(openTrials, [invited, asked]).thenIds();
    givenView(openTrials, [invited, asked, { type: 'trial.extended', data: { ...ids, expiresAt: later } }])
      .thenIds()
      .thenKey('t', 'byExpiry', undefined);
  });

  it.each(['completed', 'withdrawn', 'expired'])('is gone once %s', (end) => {
    givenView(openTrials, [invited, { type: `trial.${end}`, data: ids }]).thenIds();
  });

  it('is gone once its candidate was erased', () => {
    const erased: Given = { type: 'trial.erased', data: { ...ids, withdrawn: true } };
    givenView(openTrials, [invited, erased]).thenIds();
  });
});
