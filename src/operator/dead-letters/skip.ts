import type { EndedOperation, OperatorState } from '../../domain/operations/decider.js';
import type { Building, ReadStore } from '../../stores/read-store.js';
import { OperatorError } from '../cli/program.js';
import type { Engine } from '../cli/stores.js';
import { deadLetter, notParked } from './dead-letter.js';
import { parkedDocument } from './parked.js';

/** An event that may be skipped: one that blocks a document or a rebuild. */
export interface Skippable {
  readonly view: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The event's document; `null`: it could not be assigned to any. */
  readonly document: string | null;
  /** Why it cannot be folded. */
  readonly failure: string;
  /** `document`: the document is parked at the event; `rebuild`: a rebuild has stopped at it. */
  readonly blocks: 'document' | 'rebuild';
}

/**
 * The event at which a document is parked, or at which a rebuild has stopped. No other event can be skipped.
 * @param document `null`: the event at which the rebuild has stopped
 * @throws {OperatorError} no event blocks it, or the event is skipped already
 */
export async function skippable(
  { stores, requests }: Pick<Engine, 'stores' | 'requests'>,
  view: string,
  document: string | null,
): Promise<Skippable> {
  const state = await requests.state();
  const parked = document === null ? null : await parkedDocument(stores.readStore, view, document);
  if (parked !== null) {
    const { event, why, position } = await deadLetter(stores, parked, state.skipped.get(view) ?? new Set());
    if (event === null)
      throw new OperatorError(`The log holds no event at ${position}: nothing was skipped.`);
    if (why.kind === 'skipped')
      throw new OperatorError(
        `The event ${event.id} is skipped already: run \`assay dead-letters retry ${view} ${parked.document.id}\`.`,
      );
    const { id: eventId, type: eventType } = event;
    return { view, eventId, eventType, document, failure: why.reason, blocks: 'document' };
  }
  const stopped = await stoppedRebuild(stores.readStore, state, view);
  if (stopped !== null && (document === null || document === stopped.document)) {
    const { eventId, eventType, reason: failure } = stopped;
    return { view, eventId, eventType, document: stopped.document, failure, blocks: 'rebuild' };
  }
  throw document === null
    ? new OperatorError(`No rebuild of "${view}" has stopped at an event: name a document that is parked.`)
    : notParked(view, document);
}

/**
 * Skips the event that `skippable` finds, once the operator has confirmed it.
 * @param confirmed rejects if the operator does not want it, or no longer
 * @returns the skipped event
 * @throws {OperatorError} as `skippable`, or another event blocks by then, or the reason is refused
 */
export async function skip(
  engine: Pick<Engine, 'stores' | 'requests'>,
  { view, document, reason }: { view: string; document: string | null; reason: string },
  confirmed: (event: Skippable) => Promise<void>,
): Promise<Skippable> {
  const event = await skippable(engine, view, document);
  await confirmed(event);
  // Looked up again, since the answer may take long: the event may have been folded meanwhile.
  const { eventId } = await skippable(engine, view, document);
  if (eventId !== event.eventId)
    throw new OperatorError(`The event ${event.eventId} blocks nothing any more: nothing was skipped.`);
  await engine.requests.skip({ view, eventId, documentId: event.document, reason });
  return event;
}

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
 * The event at which a view's last rebuild stopped, from the pointer or, if its generation was removed, from the
 * operator's stream; `null`: it did not stop, that event is skipped, or a later generation is live.
 */
export async function stoppedRebuild(
  { pointers }: Pick<ReadStore, 'pointers'>,
  { ended, skipped }: Pick<OperatorState, 'ended' | 'skipped'>,
  view: string,
): Promise<StoppedRebuild | null> {
  const pointer = await pointers.get(view);
  const next = pointer?.next ?? null;
  const stopped = next === null ? fromStream(ended.get(view)) : fromPointer(view, next);
  // A rebuild that changed code begins by itself is no operation: the stopped one stays the last.
  if (stopped === null || (pointer?.live.number ?? 0) > numberOf(stopped.generation)) return null;
  return skipped.get(view)?.has(stopped.eventId) ? null : stopped;
}

/** The number in a generation's name. */
const numberOf = (generation: string): number => Number(/\.g(\d+)$/.exec(generation)?.[1] ?? Infinity);

const fromPointer = (view: string, { generation, failure }: Building): StoppedRebuild | null => {
  if (failure?.eventId == null) return null;
  const { eventId, eventType, position, documentId, message } = failure;
  const reason = message;
  return { view, generation: generation.name, eventId, eventType, position, document: documentId, reason };
};

const fromStream = (last: EndedOperation | undefined): StoppedRebuild | null => {
  if (last?.kind !== 'rebuild' || last.result !== 'failed') return null;
  const { view, message: reason, details } = last;
  const text = (name: string): string => {
    const value = details[name];
    return typeof value === 'string' ? value : '';
  };
  // It may have failed for another reason.
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
