import { accept, type Decider, type Decision } from '../../core/decider.js';
import { attemptEvent, type AttemptEvent, type AttemptIds } from './attempt-events.js';

/** The attempts to make an evaluation's generation, or to run checks over a hand-in. */
export interface AttemptsState {
  /** The generation that was begun last. */
  readonly generation: number;
  /** The processes that have begun it and not left it. */
  readonly open: ReadonlySet<string>;
}

/** Folds the streams `attempts-<evaluationId>` and `attempts-<handInId>`. */
export const attemptsDecider: Decider<AttemptsState, AttemptEvent> = {
  kind: 'attempts',
  initial: { generation: 0, open: new Set() },
  evolve: (state, { type, data: { generation, process } }) => {
    const open = new Set(generation === state.generation ? state.open : []);
    if (type === 'attempt.begun') open.add(process);
    else open.delete(process);
    return { generation, open };
  },
};

/** How many other processes than this one have begun the generation and not left it. */
export const otherAttempts = (state: AttemptsState, { generation, process }: AttemptIds): number =>
  state.generation === generation ? [...state.open].filter((one) => one !== process).length : 0;

/** Begins a generation in a process. The same process may begin it again, which changes nothing. */
export const beginAttempt = (state: AttemptsState, ids: AttemptIds): Decision<AttemptEvent> =>
  hasBegun(state, ids) ? accept() : accept(attemptEvent('attempt.begun', ids));

/** Leaves a generation when the process stops. */
export const leaveAttempt = (state: AttemptsState, ids: AttemptIds): Decision<AttemptEvent> =>
  hasBegun(state, ids) ? accept(attemptEvent('attempt.left', ids)) : accept();

const hasBegun = (state: AttemptsState, { generation, process }: AttemptIds): boolean =>
  state.generation === generation && state.open.has(process);
