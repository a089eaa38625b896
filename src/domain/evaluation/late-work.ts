import type { Refused } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { AwaitedWork, AwaitedWorkKey, HandedInWork } from '../session/events.js';
import { type HandIns, manifestBytesOf, refusalIn } from '../session/hand-ins.js';
import { askedBy, endedBy, without } from './awaited.js';
import type { LateWorkEvent } from './events.js';

/** What has become of the work that could arrive, or be checked, after the session's completion. */
export interface LateWork {
  /** Number of pieces of evidence that have arrived; their sequence numbers continue from the completion's. */
  readonly count: number;
  /** The hand-ins among them, in the order in which they arrived. */
  readonly handIns: readonly Pick<HandedInWork, 'handInId' | 'treeSha256'>[];
  /** Those that were refused, by their ids. */
  readonly refused: ReadonlyMap<string, Refused>;
  /** The size of their manifests in the log, in bytes. */
  readonly manifestBytes: number;
  /** What events after the completion made the evaluation wait for, also if the wait has ended. */
  readonly asked: readonly AwaitedWork[];
  /** What is no longer awaited: it has arrived, or its time is over. */
  readonly ended: readonly AwaitedWorkKey[];
}

export const NO_LATE_WORK: LateWork = {
  ...{ count: 0, handIns: [], refused: new Map(), manifestBytes: 0 },
  ...{ asked: [], ended: [] },
};

/** The late work after one more event. */
export const lateWorkAfter = (late: LateWork, event: Stored<LateWorkEvent>): LateWork => {
  const asked = askedBy(event);
  const after = {
    ...late,
    asked: [...without(late.asked, asked), ...asked],
    // Work that is asked for again is awaited again.
    ended: [...without(late.ended, asked), ...endedBy(event)],
  };
  switch (event.type) {
    case 'evaluation.work_checked':
      return { ...after, count: late.count + 1 };
    case 'evaluation.work_refused': {
      const refused = new Map([...late.refused, [event.data.handInId, refusalIn(event)]]);
      return { ...after, count: late.count + 1, refused };
    }
    case 'evaluation.work_handed_in':
      return {
        ...after,
        count: late.count + 1,
        handIns: [...late.handIns, { handInId: event.data.handInId, treeSha256: event.data.treeSha256 }],
        manifestBytes: late.manifestBytes + manifestBytesOf(event),
      };
    default:
      return after;
  }
};

/** What the evaluation still waits for. @param awaits what the session's completion made it wait for */
export const awaitedBy = (
  awaits: readonly AwaitedWork[],
  { asked, ended }: Pick<LateWork, 'asked' | 'ended'>,
): readonly AwaitedWork[] => without([...without(awaits, asked), ...asked], ended);

/** The hand-ins of a session, those included that arrived or were refused after its completion. */
export const withLateWork = ({ all, last, manifestBytes }: HandIns, late: LateWork): HandIns => {
  const arrived = new Map(late.handIns.map(({ handInId, treeSha256 }) => [handInId, treeSha256]));
  const lastOnes = [...arrived.keys()].flatMap((id): [string, string][] => {
    const one = all.find(({ handInId }) => handInId === id);
    return one ? [[one.ticketId, id]] : [];
  });
  return {
    all: all.map((one) => {
      const refused = late.refused.get(one.handInId) ?? one.refused;
      const treeSha256 = arrived.get(one.handInId);
      return treeSha256 === undefined ? { ...one, refused } : { ...one, handedIn: true, treeSha256 };
    }),
    last: new Map([...last, ...lastOnes]),
    manifestBytes: manifestBytes + late.manifestBytes,
  };
};
