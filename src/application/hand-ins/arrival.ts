import type { Refused } from '../../core/decider.js';
import type { CommandStreams } from '../../core/handle.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import { lateHandIn, mayStillArrive } from '../../domain/evaluation/late-work-decider.js';
import { type HandIn, handInById } from '../../domain/session/hand-ins.js';
import { hasEnded, type Trial } from '../../domain/session/state.js';

/** `open`: the hand-in may still arrive. `over`: it is too late. A refusal: its content was refused. */
export type Arrival = 'arrived' | 'open' | 'over' | Refused;

/**
 * Whether a hand-in that was begun in the session has arrived. Once the session is completed, the evaluation's stream
 * decides: the evaluation waits for hand-ins that were begun before.
 * @param now RFC 3339 in UTC, with milliseconds
 */
export const arrivalOf = async (
  streams: Pick<CommandStreams, 'read'>,
  session: Trial,
  handInId: string,
  now: string,
): Promise<Arrival> => {
  const { evaluationId, handIns } = session;
  if (evaluationId === null)
    return endOf(handInById(handIns, handInId)) ?? (hasEnded(session, now) ? 'over' : 'open');
  const { state } = await streams.read(evaluationDecider, evaluationId);
  return (
    endOf(lateHandIn(state, session, handInId)) ??
    (mayStillArrive(state, session, handInId, now) ? 'open' : 'over')
  );
};

const endOf = (handIn: HandIn | undefined): 'arrived' | Refused | null =>
  handIn?.handedIn ? 'arrived' : (handIn?.refused ?? null);
