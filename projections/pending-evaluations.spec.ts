import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { pendingEvaluations } from './pending-evaluations.js';

const at = '2026-03-01T09:00:00.000Z';
const ids = { organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' };

describe('a pending evaluation', () => {
  const of = (type: string, generation: number, id: string): Given => ({
    type,
    data: { ...ids, evaluationId: 'e', generation },
    id,
    at,
  });
  const completed: Given = { type: 'trial.completed', data: { ...ids, evaluationId: 'e' }, id: 'i1', at };

  it('is asked for by the completion', () => {
    givenView(pendingEvaluations, [completed])
      .then('e', {
        ...ids,
        evaluationId: 'e',
        generation: 1,
        requestedAt: at,
        causedBy: 'i1',
        correlationId: 'correlation',
        state: 'requested',
      })
      .thenKey('e', 'byState', ['requested', at]);
  });

  it.each(['evaluation.generated', 'evaluation.failed'])('is answered by %s', (answer) => {
    givenView(pendingEvaluations, [completed, of(answer, 1, 'i2')]).thenIds();
  });

  it('comes back with a regeneration, and goes again', () => {
    const again = [
      completed,
      of('evaluation.generated', 1, 'i2'),
      of('evaluation.regeneration_requested', 2, 'i3'),
    ];
    givenView(pendingEvaluations, again).thenIds('e').thenMatches('e', { generation: 2, causedBy: 'i3' });
    givenView(pendingEvaluations, [...again, of('evaluation.failed', 2, 'i4')]).thenIds();
  });

  it('is asked for by nobody once its candidate was erased, in whatever generation', () => {
    givenView(pendingEvaluations, [completed, of('evaluation.erased', 1, 'i2')]).thenIds();
    const again = [of('evaluation.generated', 1, 'i2'), of('evaluation.regeneration_requested', 2, 'i3')];
    givenView(pendingEvaluations, [completed, ...again, of('evaluation.erased', 2, 'i4')]).thenIds();
  });
});
