import { accept, type Decider, type Decision, type RefusalCodes, refuse } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidateErased } from '../candidate/decider.js';
import { applicationRefOf } from '../candidate/events.js';
import type { CandidateResults } from '../organisation/events.js';
import type { AwaitedCheck, AwaitedWork } from '../session/events.js';
import { type Contest, CONTEST_CODES, contestsAfter, unreadable } from './contests.js';
import {
  evaluationEvent,
  type EvaluationEvent,
  type EvaluationFailed,
  type EvaluationGenerated,
  type EvaluationIds,
  type ModelAnswered,
} from './events.js';
import { awaitedBy, type LateWork, lateWorkAfter, NO_LATE_WORK } from './late-work.js';

/** What is refused here, beside the common codes. */
export const EVALUATION_CODES = {
  evaluation_generating: { kind: 'conflict', meaning: 'The evaluation is being generated.' },
  ...CONTEST_CODES,
} as const satisfies RefusalCodes;

type EvaluationCode = keyof typeof EVALUATION_CODES;

/**
 * An evaluation: `generating -> ready | failed`, and from either to the next generation. It begins with its session's
 * `trial.completed`, which is in another stream. Therefore its status here is `none` until the first result.
 */
export type EvaluationState =
  | {
      readonly status: 'none';
      readonly generation: 1;
      readonly version: 1;
      readonly contests: readonly Contest[];
      readonly late: LateWork;
    }
  | {
      readonly status: 'generating' | 'ready' | 'failed' | 'erased';
      readonly generation: number;
      /** The last generation that became ready, also while a later one is generated or after it failed; `null`: none. */
      readonly readyGeneration: number | null;
      /** The record's version, for ETags: 1 by `trial.completed`, one more by each event that the record shows. */
      readonly version: number;
      readonly ids: Omit<EvaluationIds, 'generation'>;
      /**
       * Whose key seals the evaluation's texts. `null` only by the type of events: each of the evaluation's names a
       * person.
       */
      readonly person: PersonId | null;
      /** Oldest first. */
      readonly contests: readonly Contest[];
      readonly late: LateWork;
    };

const statusAfter = {
  'evaluation.generated': 'ready',
  'evaluation.failed': 'failed',
  'evaluation.regeneration_requested': 'generating',
  'evaluation.erased': 'erased',
} as const;

/** Folds the stream `evaluation-<evaluationId>`. */
export const evaluationDecider: Decider<EvaluationState, EvaluationEvent> = {
  kind: 'evaluation',
  chained: true,
  initial: { status: 'none', generation: 1, version: 1, contests: [], late: NO_LATE_WORK },
  evolve: (state, event) => {
    const { type, data, person } = event;
    if (type === 'evaluation.model_answered') return state;
    // The evaluation's record shows neither contests nor late work, so its version stays.
    if (type === 'evaluation.contested' || type === 'evaluation.contest_answered')
      return { ...state, contests: contestsAfter(state.contests, event) };
    if (
      type === 'evaluation.work_handed_in' ||
      type === 'evaluation.work_refused' ||
      type === 'evaluation.work_checked' ||
      type === 'evaluation.wait_ended'
    )
      return { ...state, late: lateWorkAfter(state.late, event) };
    const before = state.status === 'none' ? null : state.readyGeneration;
    return {
      status: statusAfter[type],
      generation: data.generation,
      readyGeneration: type === 'evaluation.generated' ? data.generation : before,
      version: state.version + 1,
      ids: idsOf(data),
      person,
      contests: type === 'evaluation.erased' ? state.contests.map(unreadable) : state.contests,
      late: lateAfterGeneration(state.late, event),
    };
  },
};

/** The late work after an event of a generation. An erasure removes refusals: their sentences may be personal. */
const lateAfterGeneration = (late: LateWork, event: Stored<EvaluationEvent>): LateWork => {
  if (event.type === 'evaluation.erased') return { ...late, refused: new Map() };
  return event.type === 'evaluation.regeneration_requested' ? lateWorkAfter(late, event) : late;
};

/** The generation that was requested and has no result yet; `null`: none. */
export const requestedGeneration = (state: EvaluationState): number | null =>
  state.status === 'none' || state.status === 'generating' ? state.generation : null;

/** What a result was made from. */
export interface ResultBasis {
  /** The work that the session's completion makes the evaluation wait for. */
  readonly awaits: readonly AwaitedWork[];
  /** How many pieces of late evidence were scored. */
  readonly late: number;
}

/**
 * Records a generation's result. A result for any other generation than the requested one changes nothing.
 * @param answers the model's, recorded before the result
 */
export const recordResult = (
  state: EvaluationState,
  result: EvaluationGenerated | EvaluationFailed,
  answers: readonly ModelAnswered[] = [],
  basis: ResultBasis = { awaits: [], late: 0 },
): Decision<EvaluationEvent> => {
  if (result.data.generation !== requestedGeneration(state)) return accept();
  if (awaitedBy(basis.awaits, state.late).length > 0)
    return refuse<EvaluationCode>(
      'evaluation_generating',
      'Work of the candidate may still arrive, or is being checked.',
    );
  if (basis.late !== state.late.count)
    return refuse<EvaluationCode>(
      'evaluation_generating',
      'Work of the candidate has arrived meanwhile, or was checked.',
    );
  return accept<EvaluationEvent>(...answers, result);
};

/** Ends an erased candidate's evaluation. A generation in progress then has no result. */
export const eraseEvaluation = (
  state: EvaluationState,
  ids: Omit<EvaluationIds, 'generation'>,
): Decision<EvaluationEvent> =>
  state.status === 'erased'
    ? accept()
    : accept(
        evaluationEvent(
          'evaluation.erased',
          { ...ids, generation: state.generation },
          ids.candidateId as PersonId,
        ),
      );

/**
 * Asks for the next generation.
 * @param input.begun whether the session's stream has begun this evaluation: its own stream may still be empty
 * @param input.checks checks that run again before the generation; all others keep their results
 */
export function requestRegeneration(
  state: EvaluationState,
  input: { readonly begun: boolean; readonly checks?: readonly AwaitedCheck[] },
): Decision<EvaluationEvent> {
  if (state.status === 'none' && !input.begun) return refuse('not_found', 'There is no such evaluation.');
  if (state.status === 'erased') return candidateErased();
  if (state.status === 'none' || state.status === 'generating')
    return refuse<EvaluationCode>(
      'evaluation_generating',
      'The evaluation is being generated: wait until it is ready.',
    );
  const { checks = [] } = input;
  const data = {
    ...state.ids,
    generation: state.generation + 1,
    ...(checks.length > 0 && { awaits: checks }),
  };
  return accept(evaluationEvent('evaluation.regeneration_requested', data, state.person));
}

/** What decides how much of an evaluation its candidate may see. */
export interface ReleaseConditions {
  /** The organisation's setting. */
  readonly candidateResults: CandidateResults;
  /** A generation became ready. */
  readonly isReady: boolean;
  /** An outcome is recorded. */
  readonly isDecided: boolean;
}

/** What candidates see of an evaluation. No result reaches them before people have decided. */
export const releasedOf = ({ candidateResults, isReady, isDecided }: ReleaseConditions): CandidateResults =>
  isReady && isDecided ? candidateResults : 'nothing';

const idsOf = (data: EvaluationIds): Omit<EvaluationIds, 'generation'> => ({
  ...applicationRefOf(data),
  evaluationId: data.evaluationId,
});
