import { accept, type Decider, type Decision, type RefusalCodes, refuse } from '../../core/decider.js';
import { candidateErased } from '../candidate/decider.js';
import { applicationRefOf } from '../candidate/events.js';
import type { PersonId } from '../../core/vault/port.js';
import type {
  EvaluationEvent,
  EvaluationFailed,
  EvaluationGenerated,
  EvaluationIds,
  ModelAnswered,
} from './events.js';

/** What is refused here, beside the common codes. */
export const EVALUATION_CODES = {
  evaluation_generating: { kind: 'conflict', meaning: 'The evaluation is being generated.' },
} as const satisfies RefusalCodes;

export type EvaluationCode = keyof typeof EVALUATION_CODES;

/**
 * An evaluation: `generating -> ready | failed`, and from either to the next generation. It begins outside its
 * stream, with its session's `trial.completed`: until the first result the stream is empty and the state `none`.
 */
export type EvaluationState =
  | { readonly status: 'none'; readonly generation: 1; readonly version: 1 }
  | {
      readonly status: 'generating' | 'ready' | 'failed' | 'erased';
      readonly generation: number;
      /** The last one that became ready, whatever came after it. */
      readonly readyGeneration: number | null;
      /** Of the record, for ETags: 1 by `trial.completed`, one more by each event of the stream. */
      readonly version: number;
      readonly ids: Omit<EvaluationIds, 'generation'>;
      readonly person: PersonId | null;
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
  initial: { status: 'none', generation: 1, version: 1 },
  evolve: (state, { type, data, person }) => {
    if (type === 'evaluation.model_answered') return state;
    const before = state.status === 'none' ? null : state.readyGeneration;
    return {
      status: statusAfter[type],
      generation: data.generation,
      readyGeneration: type === 'evaluation.generated' ? data.generation : before,
      version: state.version + 1,
      ids: idsOf(data),
      person,
    };
  },
};

/** The generation that is asked for and not answered, `null` where there is none. */
export const askedGeneration = (state: EvaluationState): number | null =>
  state.status === 'none' || state.status === 'generating' ? state.generation : null;

/**
 * Records what a generation came to, with what a model answered on the way. A result for any other generation than the
 * one asked for changes nothing.
 */
export const recordResult = (
  result: EvaluationGenerated | EvaluationFailed,
  state: EvaluationState,
  answers: readonly ModelAnswered[] = [],
): Decision<EvaluationEvent> =>
  result.data.generation === askedGeneration(state) ? accept<EvaluationEvent>(...answers, result) : accept();

/** Ends what is left of an erased candidate's evaluation: one that was being generated has failed by it. */
export const eraseEvaluation = (
  state: EvaluationState,
  ids: Omit<EvaluationIds, 'generation'>,
): Decision<EvaluationEvent> =>
  state.status === 'erased'
    ? accept()
    : accept<EvaluationEvent>({
        type: 'evaluation.erased',
        data: { ...ids, generation: state.generation },
        person: ids.candidateId as PersonId,
        personal: null,
      });

/**
 * Asks for the next generation.
 * @param input.begun whether the session's stream says that this evaluation exists: an empty stream cannot
 */
export function requestRegeneration(
  input: { readonly begun: boolean },
  state: EvaluationState,
): Decision<EvaluationEvent> {
  if (state.status === 'none' && !input.begun) return refuse('not_found', 'There is no such evaluation.');
  if (state.status === 'erased') return candidateErased();
  if (state.status === 'none' || state.status === 'generating')
    return refuse<EvaluationCode>(
      'evaluation_generating',
      'The evaluation is being generated: wait until it is ready.',
    );
  return accept({
    type: 'evaluation.regeneration_requested',
    data: { ...state.ids, generation: state.generation + 1 },
    person: state.person,
    personal: null,
  });
}

const idsOf = (data: EvaluationIds): Omit<EvaluationIds, 'generation'> => ({
  ...applicationRefOf(data),
  evaluationId: data.evaluationId,
});
