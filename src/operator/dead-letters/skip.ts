import type { Engine } from '../engine.js';
import { OperatorError } from '../program.js';
import { deadLetter } from './dead-letter.js';
import { parkedDocument } from './parked.js';
import { notParked } from './show.js';
import { stoppedRebuild } from './stopped.js';

/** An event that may be skipped: one that stands in the way. */
export interface Skippable {
  readonly view: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The document that it belongs to; `null`: it could not be assigned to any. */
  readonly document: string | null;
  /** Why it cannot be folded. */
  readonly failure: string;
  /** `document`: that one is parked at it; `rebuild`: a rebuild has stopped there. */
  readonly blocks: 'document' | 'rebuild';
}

/**
 * The event at which a document is parked, or else at which a rebuild has stopped. No other event can be skipped: a
 * view without it would be one that nobody has asked for.
 * @param document `null`: the rebuild's
 * @throws {OperatorError} nothing is in the way there, or it is skipped already
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
        `The event ${event.id} is skipped already: \`assay dead-letters retry ${view} ${parked.document.id}\` leaves it out.`,
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
