import { accept, type Decider, type Decision } from '../../core/decider.js';
import type { AttemptEvent, AttemptIds } from '../../domain/evaluation/events.js';

/** What the stream says of the generation that was begun last. */
export interface Attempts {
  readonly generation: number;
  /** The processes that have begun the generation and not left it. */
  readonly open: ReadonlySet<string>;
}

/** Processes that one generation may end: after so many it has failed. */
export const MAX_ENDED_PROCESSES = 3;

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
  isOpen(state, ids)
    ? accept()
    : accept<AttemptEvent>({ type: 'attempt.begun', data: ids, person: null, personal: null });

/** A process that stops lets go of a generation that it had begun. */
export const leaveAttempt = (state: Attempts, ids: AttemptIds): Decision<AttemptEvent> =>
  isOpen(state, ids)
    ? accept<AttemptEvent>({ type: 'attempt.left', data: ids, person: null, personal: null })
    : accept();

const isOpen = (state: Attempts, { generation, process }: AttemptIds): boolean =>
  state.generation === generation && state.open.has(process);
