import { accept, type Decider, type Decision, type RefusalCodes, refuse } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import { candidateErased } from '../candidate/decider.js';
import { applicationRefOf } from '../candidate/events.js';
import type { CandidateResults } from '../organisation/events.js';
import type { PersonId } from '../../core/vault/port.js';
import type { AwaitedCheck, AwaitedWork } from '../session/events.js';
import { attemptEvent, type AttemptEvent, type AttemptIds } from './attempt-events.js';
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
 * An evaluation: `generating -> ready | failed`, and from either to the next generation. It begins outside its
 * stream, with its session's `trial.completed`: until the first result the stream is empty and the state `none`.
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
      /** The last one that became ready, whatever came after it. */
      readonly readyGeneration: number | null;
      /** Of the record, for ETags: 1 by `trial.completed`, one more by each event of the stream. */
      readonly version: number;
      readonly ids: Omit<EvaluationIds, 'generation'>;
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

export const evaluationDecider: Decider<EvaluationState, EvaluationEvent> = {
  kind: 'evaluation',
  chained: true,
  initial: { status: 'none', generation: 1, version: 1, contests: [], late: NO_LATE_WORK },
  evolve: (state, event) => {
    const { type, data, person } = event;
    if (type === 'evaluation.model_answered') return state;
    // The evaluation's record does not show them, so its version stays.
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
      late: lateAfter(state.late, event),
    };
  },
};

/** Nothing personal is left of an erased candidate. */
const lateAfter = (late: LateWork, event: Stored<EvaluationEvent>): LateWork => {
  if (event.type === 'evaluation.erased') return { ...late, refused: new Map() };
  return event.type === 'evaluation.regeneration_requested' ? lateWorkAfter(late, event) : late;
};

/** The requested generation without a result, `null`: none. */
export const askedGeneration = (state: EvaluationState): number | null =>
  state.status === 'none' || state.status === 'generating' ? state.generation : null;

/**
 * Records a generation's result, with the model's answers before it. A result for any other generation than the requested
 * one changes nothing.
 * @param rest what the session's completion makes the evaluation wait for, and how much late evidence the result rests on
 */
export const recordResult = (
  result: EvaluationGenerated | EvaluationFailed,
  state: EvaluationState,
  answers: readonly ModelAnswered[] = [],
  rest: { readonly awaits: readonly AwaitedWork[]; readonly late: number } = { awaits: [], late: 0 },
): Decision<EvaluationEvent> => {
  if (result.data.generation !== askedGeneration(state)) return accept();
  if (awaitedBy(rest.awaits, state.late).length > 0)
    return refuse<EvaluationCode>(
      'evaluation_generating',
      'Work of the candidate may still arrive, or is being checked.',
    );
  if (rest.late !== state.late.count)
    return refuse<EvaluationCode>(
      'evaluation_generating',
      'Work of the candidate has arrived meanwhile, or was checked.',
    );
  return accept<EvaluationEvent>(...answers, result);
};

/** Ends an erased candidate's evaluation. A generation in progress fails by it. */
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
 * @param input.checks run before it, once more; none unless given: the results that are there count
 */
export function requestRegeneration(
  input: { readonly begun: boolean; readonly checks?: readonly AwaitedCheck[] },
  state: EvaluationState,
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

/** The generation that was begun last. */
export interface Attempts {
  readonly generation: number;
  /** The processes that have begun it and not left it. */
  readonly open: ReadonlySet<string>;
}

export const attempts: Decider<Attempts, AttemptEvent> = {
  kind: 'attempts',
  initial: { generation: 0, open: new Set() },
  evolve: (state, { type, data: { generation, process } }) => {
    const open = new Set(generation === state.generation ? state.open : []);
    if (type === 'attempt.begun') open.add(process);
    else open.delete(process);
    return { generation, open };
  },
};

/** Processes other than this one that have begun a generation and neither answered nor left it. */
export const othersAt = (state: Attempts, { generation, process }: AttemptIds): number =>
  state.generation === generation ? [...state.open].filter((one) => one !== process).length : 0;

/** Begins a generation in a process; sent again by the same process, it changes nothing. */
export const beginAttempt = (state: Attempts, ids: AttemptIds): Decision<AttemptEvent> =>
  isOpen(state, ids) ? accept() : accept(attemptEvent('attempt.begun', ids));

/** Leaves a generation when the process stops. */
export const leaveAttempt = (state: Attempts, ids: AttemptIds): Decision<AttemptEvent> =>
  isOpen(state, ids) ? accept(attemptEvent('attempt.left', ids)) : accept();

const isOpen = (state: Attempts, { generation, process }: AttemptIds): boolean =>
  state.generation === generation && state.open.has(process);
