import { accept, type Decision, isRefused, type Refused } from '../../core/decider.js';
import type { PersonId } from '../../core/vault/port.js';
import { candidateErased } from '../candidate/decider.js';
import { applicationRefOf } from '../candidate/events.js';
import type { CheckReport } from '../session/check-decider.js';
import { sessionEnded } from '../session/decider.js';
import type { AwaitedCheck, AwaitedWork } from '../session/events.js';
import {
  handedInWork,
  type HandIntoSession,
  NO_SUCH_HAND_IN,
  refusedWork,
  whenFull,
  whenTooLong,
} from '../session/hand-in-decider.js';
import { awaitedChecks, type HandIn, handInById, hasChecks, isOpen } from '../session/hand-ins.js';
import type { Trial } from '../session/state.js';
import { isHandIn } from './awaited.js';
import { requestedGeneration, type EvaluationState } from './decider.js';
import { evaluationEvent, type EvaluationEvent, type EvaluationIds } from './events.js';
import { awaitedBy, withLateWork } from './late-work.js';

/** Whether the evaluation still waits for a hand-in of its session. @param now RFC 3339 in UTC, with milliseconds */
export const mayStillArrive = (
  state: EvaluationState,
  { awaits }: Pick<Trial, 'awaits'>,
  handInId: string,
  now: string,
): boolean =>
  requestedGeneration(state) !== null &&
  awaitedBy(awaits, state.late)
    .filter(isHandIn)
    .some(({ id, until }) => id === handInId && now < until);

/**
 * A hand-in of the session as it is now, with what came of it after the session's completion; `undefined`: the session
 * has none by that id.
 */
export const lateHandIn = (
  { late }: EvaluationState,
  { handIns }: Pick<Trial, 'handIns'>,
  handInId: string,
): HandIn | undefined => handInById(withLateWork(handIns, late), handInId);

interface LateCommand {
  readonly handInId: string;
  /** Completed, and read to its stream's end. */
  readonly session: Trial & { readonly evaluationId: string };
  /** RFC 3339 in UTC, with milliseconds. */
  readonly now: string;
}

export interface HandInLate extends LateCommand, Pick<HandIntoSession, 'name' | 'manifest' | 'treeSha256'> {}

/**
 * Records that a hand-in has arrived after its session's completion, or that it is refused: the ticket has too many, or
 * its manifest is too long. A repeated command records nothing.
 */
export const handInLate = (state: EvaluationState, input: HandInLate): Decision<EvaluationEvent> =>
  endLate(state, input, (begun) => {
    const { session, handInId, name, manifest } = input;
    const handIns = withLateWork(session.handIns, state.late);
    const refused = whenFull({ handIns }, begun) ?? whenTooLong({ handIns }, input);
    if (refused) return refused;
    const isToCheck = hasChecks(session.ticketWork.get(begun.ticketId));
    const data = {
      ...idsAt(state, session),
      ...handedInWork(session, begun, input),
      ...(isToCheck && { awaits: [{ kind: 'check', id: handInId } as const] }),
    };
    return evaluationEvent('evaluation.work_handed_in', data, session.candidateId, { name, manifest });
  });

export interface RefuseLate extends LateCommand {
  /** `work_refused`, with its sentence. */
  readonly refused: Refused;
}

/** Records that work which arrived after the session's completion is refused for good: nothing waits for it any more. */
export const refuseLate = (state: EvaluationState, input: RefuseLate): Decision<EvaluationEvent> =>
  endLate(state, input, () => input.refused);

const endLate = (
  state: EvaluationState,
  { session, handInId, now }: LateCommand,
  endOf: (begun: HandIn) => EvaluationEvent | Refused,
): Decision<EvaluationEvent> => {
  if (state.status === 'erased' || session.erased) return candidateErased();
  const begun = lateHandIn(state, session, handInId);
  if (!begun) return NO_SUCH_HAND_IN;
  if (!isOpen(begun)) return accept();
  if (!mayStillArrive(state, session, handInId, now)) return sessionEnded();
  const end = endOf(begun);
  if (!isRefused(end)) return accept(end);
  const data = { ...idsAt(state, session), ...refusedWork(begun, end) };
  const { message } = end.refusal;
  return accept(evaluationEvent('evaluation.work_refused', data, session.candidateId, { message }));
};

/** Whether all checks are to run over a hand-in before the requested generation is made. */
export const isCheckAwaited = (
  state: EvaluationState,
  { awaits }: Pick<Trial, 'awaits'>,
  handInId: string,
): boolean =>
  requestedGeneration(state) !== null &&
  awaitedBy(awaits, state.late).some(({ kind, id }) => kind === 'check' && id === handInId);

/** Records what all checks of a hand-in found, unless that is not awaited any more. */
export const recordLateCheck = (
  state: EvaluationState,
  session: LateCommand['session'],
  { work, findings }: CheckReport,
): Decision<EvaluationEvent> => {
  if (session.erased || !isCheckAwaited(state, session, work.handInId)) return accept();
  const data = { ...idsAt(state, session), ...work };
  return accept(evaluationEvent('evaluation.work_checked', data, session.candidateId, findings));
};

/** The checks that a new generation can run again: those of the last hand-in of each ticket. */
export const checksToRepeat = (
  { late }: Pick<EvaluationState, 'late'>,
  { handIns, ticketWork }: Pick<Trial, 'handIns' | 'ticketWork'>,
): readonly AwaitedCheck[] => awaitedChecks(withLateWork(handIns, late), ticketWork);

/** The ids of the next piece of late evidence. */
const idsAt = (state: EvaluationState, session: LateCommand['session']) => ({
  ...applicationRefOf(session),
  evaluationId: session.evaluationId,
  generation: state.generation,
  sequenceNumber: session.lastSequenceNumber + state.late.count + 1,
});

export interface EndWait {
  readonly ids: Omit<EvaluationIds, 'generation'>;
  /** What the evaluation waits for by its session's completion. */
  readonly awaits: readonly AwaitedWork[];
  /** RFC 3339 in UTC, with milliseconds. */
  readonly now: string;
}

/** Ends the wait for the hand-ins whose time is over. */
export const endWait = (state: EvaluationState, { ids, awaits, now }: EndWait): Decision<EvaluationEvent> => {
  if (requestedGeneration(state) === null) return accept();
  const missing = awaitedBy(awaits, state.late)
    .filter(isHandIn)
    .filter(({ until }) => until <= now);
  if (missing.length === 0) return accept();
  const data = { ...ids, generation: state.generation, missing };
  return accept(evaluationEvent('evaluation.wait_ended', data, ids.candidateId as PersonId));
};
