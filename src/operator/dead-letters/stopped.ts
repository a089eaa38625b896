import type { Building, ReadStore } from '../../stores/read-store.js';
import type { EndedOperation, OperatorState } from '../../domain/operations/decider.js';

/** The event at which a rebuild of a view has stopped. */
export interface StoppedRebuild {
  readonly view: string;
  readonly generation: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly position: string;
  /** `null`: the event could not be assigned to any. */
  readonly document: string | null;
  readonly reason: string;
}

/**
 * Where the last rebuild of a view has stopped, as the pointer says or, once the rebuild was given up for it, as the
 * operator's stream remembers. `null`: it did not, or that event is skipped by now.
 */
export async function stoppedRebuild(
  { pointers }: Pick<ReadStore, 'pointers'>,
  { ended, skipped }: Pick<OperatorState, 'ended' | 'skipped'>,
  view: string,
): Promise<StoppedRebuild | null> {
  const next = (await pointers.get(view))?.next ?? null;
  const stopped = next === null ? remembered(ended.get(view)) : told(view, next);
  return stopped === null || skipped.get(view)?.has(stopped.eventId) ? null : stopped;
}

const told = (view: string, { generation, failure }: Building): StoppedRebuild | null => {
  if (failure === null) return null;
  const { eventId, eventType, position, documentId, message } = failure;
  const reason = message;
  return { view, generation: generation.name, eventId, eventType, position, document: documentId, reason };
};

const remembered = (last: EndedOperation | undefined): StoppedRebuild | null => {
  if (last?.kind !== 'rebuild' || last.result !== 'failed') return null;
  const { view, message: reason, details } = last;
  const text = (name: string): string => {
    const value = details[name];
    return typeof value === 'string' ? value : '';
  };
  // It may have failed for something else.
  if (text('eventId') === '') return null;
  return {
    ...{ view, reason },
    generation: text('generation'),
    eventId: text('eventId'),
    eventType: text('eventType'),
    position: text('position'),
    document: text('documentId') || null,
  };
};
