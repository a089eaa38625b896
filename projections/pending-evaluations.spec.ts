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
        awaited: [],
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

  describe('of a session with hand-ins that had not arrived', () => {
    const awaits = ['h1', 'h2'].map((id) => ({
      ...({ kind: 'hand_in', id } as const),
      until: '2026-03-01T09:10:00.000Z',
    }));
    const waiting: Given = { ...completed, data: { ...completed.data, awaits } };
    const arrived = (handInId: string, id: string): Given => {
      const event = of('evaluation.work_handed_in', 1, id);
      return { ...event, data: { ...event.data, handInId, sequenceNumber: 2 } };
    };
    const givenUp = (missing: readonly object[], id: string): Given => {
      const event = of('evaluation.wait_ended', 1, id);
      return { ...event, data: { ...event.data, missing } };
    };

    it('waits, listed by the time at which it gives them up', () => {
      givenView(pendingEvaluations, [waiting])
        .thenMatches('e', { state: 'awaiting', awaited: awaits, causedBy: 'i1' })
        .thenKey('e', 'byDeadline', ['2026-03-01T09:10:00.000Z']);
    });

    it('waits for nothing that is refused', () => {
      const { data, ...event } = of('evaluation.work_refused', 1, 'i3');
      const refused: Given = { ...event, data: { ...data, handInId: 'h2', sequenceNumber: 3 } };
      givenView(pendingEvaluations, [waiting, refused]).thenMatches('e', { awaited: [awaits[0]!] });
      givenView(pendingEvaluations, [waiting, arrived('h1', 'i2'), refused]).thenMatches('e', {
        ...{ state: 'requested', awaited: [] },
      });
    });

    it('goes on with the last arrival', () => {
      const first = [waiting, arrived('h1', 'i2')];
      givenView(pendingEvaluations, first).thenMatches('e', { state: 'awaiting', awaited: [awaits[1]!] });
      givenView(pendingEvaluations, [...first, arrived('h2', 'i3')])
        .thenMatches('e', { state: 'requested', awaited: [], causedBy: 'i1', generation: 1 })
        .thenKey('e', 'byState', ['requested', at])
        .thenKey('e', 'byDeadline', undefined);
    });

    it('goes on once the rest is given up', () => {
      const over = [waiting, arrived('h2', 'i2'), givenUp([awaits[0]!], 'i3')];
      givenView(pendingEvaluations, over).thenMatches('e', { state: 'requested', awaited: [] });
    });

    it('waits for nothing any more once its candidate was erased', () => {
      givenView(pendingEvaluations, [waiting, of('evaluation.erased', 1, 'i2')]).thenIds();
    });
  });

  it('is asked for by nobody once its candidate was erased, in whatever generation', () => {
    givenView(pendingEvaluations, [completed, of('evaluation.erased', 1, 'i2')]).thenIds();
    const again = [of('evaluation.generated', 1, 'i2'), of('evaluation.regeneration_requested', 2, 'i3')];
    givenView(pendingEvaluations, [completed, ...again, of('evaluation.erased', 2, 'i4')]).thenIds();
  });
});
