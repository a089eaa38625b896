import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { stages } from './stages.js';

const ids = { organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' };
const time = (hour: number): string => `2026-03-01T0${hour}:00:00.000Z`;
const invited: Given = { type: 'candidate.invited', data: { ...ids, invitedAt: time(1) }, at: time(1) };
const at = (hour: number, type: string, more: object = {}): Given => ({
  type,
  data: { ...ids, ...more },
  at: time(hour),
});
const nowhere = { startedAt: null, completedAt: null, evaluatedAt: null, decidedAt: null };

describe('the stages of an application', () => {
  it('begin with the invitation, by which they are listed', () => {
    givenView(stages, [invited])
      .then('a', { organisationId: 'o', roleId: 'r', invitedAt: time(1), ...nowhere })
      .thenKey('a', 'byOrganisation', ['o', time(1)]);
  });

  it('are reached once: a new generation and a corrected outcome move no time', () => {
    const way = [
      ...[invited, at(2, 'trial.started'), at(3, 'trial.completed')],
      ...[at(4, 'evaluation.generated', { generation: 1 }), at(5, 'outcome.recorded')],
    ];
    const reached = {
      startedAt: time(2),
      completedAt: time(3),
      evaluatedAt: time(4),
      decidedAt: time(5),
    };
    givenView(stages, way).thenMatches('a', reached).sameWhateverThePages();
    givenView(stages, [...way, at(6, 'evaluation.generated', { generation: 2 }), at(7, 'outcome.recorded')])
      .thenMatches('a', reached)
      .sameWhateverThePages();
  });

  it('are left by a retraction, and reached again by the next outcome', () => {
    const retracted = [invited, at(5, 'outcome.recorded'), at(6, 'outcome.retracted')];
    givenView(stages, retracted).thenMatches('a', { decidedAt: null });
    givenView(stages, [...retracted, at(7, 'outcome.recorded')]).thenMatches('a', { decidedAt: time(7) });
  });
});
