import type { Actor } from '../../src/core/event.js';
import { answerContest, contestEvaluation } from '../../src/domain/evaluation/contest-decider.js';
import { evaluationDecider } from '../../src/domain/evaluation/decider.js';
import { CONTESTED, type EvaluationIds } from '../../src/domain/evaluation/events.js';
import type { World } from './world.js';

const STAFF: Actor = { type: 'staff', id: 'sub-0' };

/** The candidate contests something; by every third value, staff answer one of the contests. */
export const contestStep = (
  world: World,
  ids: Omit<EvaluationIds, 'generation'>,
  value: number,
  secret: string,
): void => {
  const { evaluationId, candidateId } = ids;
  if (value % 3 === 0) {
    world.submit(evaluationDecider, evaluationId, STAFF, (state) => {
      const contestId = state.contests[value % (state.contests.length || 1)]?.contestId ?? '';
      const text = `${secret}answer ${value}`;
      return answerContest(state, { ids: { ...ids, contestId }, text, actor: STAFF.id });
    });
    return;
  }
  world.submit(evaluationDecider, evaluationId, { type: 'candidate', id: candidateId }, (state) =>
    contestEvaluation(state, {
      ids: { ...ids, contestId: world.newId() },
      kind: CONTESTED[value % CONTESTED.length] ?? 'transcript',
      reference: value % 2 === 0 ? null : `${secret}reference`,
      text: `${secret}contest ${value}`,
      released: value % 5 === 0 ? 'nothing' : 'result',
    }),
  );
};
