import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { retention } from './retention.js';

const time = (hour: number) => `2026-03-01T${hour.toString().padStart(2, '0')}:00:00.000Z`;
const of = (type: string, session: number, hour: number): Given => ({
  type,
  data: { organisationId: 'o', candidateId: 'c', trialSessionId: `t${session}` },
  at: time(hour),
  id: `i${hour}`,
});
const invited = of('candidate.invited', 1, 1);

describe('a candidate whom nothing happens with', () => {
  it.each(['completed', 'withdrawn', 'expired'])('is listed once the last open session is %s', (end) => {
    const both = [invited, of('candidate.invited', 2, 2)];
    givenView(retention, both).thenKey('c', 'byOrganisation', undefined);
    givenView(retention, [...both, of(`trial.${end}`, 1, 3)]).thenKey('c', 'byOrganisation', undefined);
    givenView(retention, [...both, of(`trial.${end}`, 1, 3), of('trial.completed', 2, 4)])
      .thenKey('c', 'byOrganisation', ['o', time(4)])
      .thenMatches('c', { causedBy: 'i4' });
  });

  it.each(['recorded', 'retracted'])(
    'is listed anew when an outcome is %s, and not while invited again',
    (what) => {
      const ended = [invited, of('trial.completed', 1, 3), of(`outcome.${what}`, 1, 5)];
      givenView(retention, ended).thenKey('c', 'byOrganisation', ['o', time(5)]);
      givenView(retention, [...ended, of('candidate.invited', 2, 6)]).thenKey(
        'c',
        'byOrganisation',
        undefined,
      );
    },
  );

  it('is gone once erased, whatever was on its way', () => {
    givenView(retention, [invited, of('candidate.erased', 0, 3), of('trial.completed', 1, 4)]).thenIds();
  });
});
