import { accept, type Decision, refuse } from '../../core/decider.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidateErased } from '../candidate/decider.js';
import type { CandidateResults } from '../organisation/events.js';
import type { CONTEST_CODES } from './contests.js';
import type { EvaluationState } from './decider.js';
import { type ContestIds, type Contested, evaluationEvent, type EvaluationEvent } from './events.js';

type ContestCode = keyof typeof CONTEST_CODES;

/** Maximum number of contests of one evaluation, over all of its generations. */
export const MAX_CONTESTS = 20;

export interface ContestEvaluation {
  readonly ids: Omit<ContestIds, 'generation'>;
  readonly kind: Contested;
  /** What it is about, as the candidate names it; `null`: they name nothing. */
  readonly reference: string | null;
  readonly text: string;
  /** How much of the evaluation is released to the candidate, by the streams that decide it, read to their ends. */
  readonly released: CandidateResults;
}

/** Records what the candidate disputes. They may always dispute the transcript, since their export has it. */
export const contestEvaluation = (
  state: EvaluationState,
  { ids, kind, reference, text, released }: ContestEvaluation,
): Decision<EvaluationEvent> => {
  if (state.status === 'erased') return candidateErased();
  if (released === 'nothing' && kind !== 'transcript')
    return refuse<ContestCode>(
      'nothing_released',
      'Nothing of this evaluation is released to you: until then you can contest the transcript alone.',
    );
  if (state.contests.length >= MAX_CONTESTS)
    return refuse<ContestCode>(
      'too_many_contests',
      `This evaluation has ${MAX_CONTESTS} contests: there can be no more.`,
    );
  const data = { ...ids, generation: state.generation, kind, released };
  const personal = { text, reference };
  return accept(evaluationEvent('evaluation.contested', data, ids.candidateId as PersonId, personal));
};

export interface AnswerContest {
  readonly ids: Omit<ContestIds, 'generation'>;
  readonly text: string;
  /** Who answers, by subject. */
  readonly actor: string;
}

/** Answers a contest, once. */
export const answerContest = (
  state: EvaluationState,
  { ids, text, actor }: AnswerContest,
): Decision<EvaluationEvent> => {
  if (state.status === 'erased') return candidateErased();
  const contest = state.contests.find(({ contestId }) => contestId === ids.contestId);
  if (!contest) return refuse('not_found', 'There is no such contest.');
  if (contest.answer) return refuse<ContestCode>('already_answered', 'This contest is answered already.');
  const data = { ...ids, generation: state.generation, answeredBy: actor };
  return accept(evaluationEvent('evaluation.contest_answered', data, ids.candidateId as PersonId, { text }));
};
