import type { EventStore, RecordedEvent, Revision } from '../../core/event-store.js';
import { OperatorError } from '../program.js';

/**
 * Types of the events by which a person's erasure stands in the log, in the person's own stream. A restored log gets
 * those that it lacks, as they were written.
 *
 * What an erasure brings about in other streams (sessions, evaluations) does not belong here: there each event is
 * chained to the one before it, which may be missing in a restored log. The reactor that appends it does so again.
 */
export const ERASURE_TYPES: ReadonlySet<string> = new Set(['candidate.erased']);

/** Every erasure in a log, in its order. */
export const erasuresIn = async (log: Pick<EventStore, 'readAll'>): Promise<readonly RecordedEvent[]> => {
  const erasures: RecordedEvent[] = [];
  for await (const event of log.readAll()) if (ERASURE_TYPES.has(event.type)) erasures.push(event);
  return erasures;
};

/**
 * Appends the erasures that a log lacks, each at the end of its stream. One whose stream the log does not know is
 * passed over: that person's first event was lost, and nothing in the log tells of them.
 * @returns how many were appended
 */
export const carryErasures = async (log: EventStore, erasures: readonly RecordedEvent[]): Promise<number> => {
  let appended = 0;
  for (const { stream, id, type, data, metadata } of erasures) {
    let last: Revision | null = null;
    let known = false;
    for await (const event of log.readStream(stream)) {
      last = event.revision;
      known ||= event.id === id;
    }
    if (last === null || known) continue;
    const outcome = await log.append(stream, last, [{ id, type, data, metadata }]);
    if (outcome.kind === 'conflict')
      throw new OperatorError('Something else writes to the folder that is being restored.');
    appended++;
  }
  return appended;
};
