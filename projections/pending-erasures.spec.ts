import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { pendingErasures } from './pending-erasures.js';

const at = '2026-03-01T09:00:00.000Z';
const idsOf = (n: number) => ({
  organisationId: 'o',
  candidateId: 'c',
  applicationId: `a${n}`,
  trialSessionId: `t${n}`,
  roleId: 'r',
});
const invited = (n: number): Given => ({ type: 'candidate.invited', data: idsOf(n) });
const completed = (n: number): Given => ({
  type: 'trial.completed',
  data: { ...idsOf(n), evaluationId: `e${n}` },
});
const erased: Given = {
  type: 'candidate.erased',
  data: { organisationId: 'o', candidateId: 'c', cause: 'staff' },
  id: 'i9',
  at,
};
const told = (what: string, n: number): Given => ({
  type: `${what}.erased`,
  data: { ...idsOf(n), evaluationId: `e${n}` },
});

describe('an erasure', () => {
  it('is listed once it is asked for, with what asked for it', () => {
    givenView(pendingErasures, [invited(1)]).thenKey('c', 'byRequest', undefined);
    givenView(pendingErasures, [invited(1), erased])
      .thenKey('c', 'byRequest', [at])
      .thenMatches('c', { requested: { at, causedBy: 'i9', correlationId: 'correlation' } });
  });

  it('is listed until every stream of every application was told', () => {
    const both = [invited(1), completed(1), invited(2), erased];
    const first = [told('trial', 1), told('application', 1), told('evaluation', 1)];
    const second = [told('trial', 2), told('application', 2)];
    givenView(pendingErasures, [...both, ...first]).thenKey('c', 'byRequest', [at]);
    givenView(pendingErasures, [...both, ...second, ...first.slice(0, 2)]).thenKey('c', 'byRequest', [at]);
    givenView(pendingErasures, [...both, ...first, ...second]).thenKey('c', 'byRequest', undefined);
  });

  it('reaches an evaluation too that began at the last moment', () => {
    const late = [invited(1), erased, completed(1), told('trial', 1), told('application', 1)];
    givenView(pendingErasures, late).thenKey('c', 'byRequest', [at]);
    givenView(pendingErasures, [...late, told('evaluation', 1)]).thenKey('c', 'byRequest', undefined);
  });
});
