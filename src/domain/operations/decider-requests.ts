import { accept, type Decision, refuse } from '../../core/decider.js';
import { type OperatorState, plain, type Request, type RequestKind } from './decider.js';
import type {
  Details,
  GenerationPromoted,
  OperationEnded,
  OperatorActed,
  OperatorEvent,
  RequestEvent,
} from './events.js';

/** As it is asked: without the time, which the event has. */
export type Asked = Request extends infer R ? (R extends unknown ? Omit<R, 'requestedAt'> : never) : never;

/** One request names no more documents than this: what is wrong with more of them is mended by a rebuild. */
export const MOST_DOCUMENTS = 1_000;
const LONGEST_REASON = 500;

/** While one of these is open for a view, what is asked has to wait. */
const WAITS_FOR: Readonly<Record<RequestKind, readonly RequestKind[]>> = {
  rebuild: ['rebuild', 'promote', 'rollback', 'cancel'],
  promote: ['rebuild', 'promote', 'rollback', 'cancel', 'refold'],
  rollback: ['rebuild', 'promote', 'rollback', 'cancel', 'refold'],
  // What is being built may always be given up.
  cancel: ['rollback', 'cancel'],
  // Beside a rebuild: documents are mended where they are read.
  refold: ['promote', 'rollback', 'cancel', 'refold'],
};

/** They would wait for what nobody folds. */
const NEEDS_FEEDING: readonly RequestKind[] = ['rebuild', 'promote', 'rollback'];

/**
 * Writes down what an operator asks for. An id that is known already does nothing more.
 * @param beingBuilt the generation, if any, that is built beside the live one and has not failed
 */
export const request = (
  state: OperatorState,
  asked: Asked,
  beingBuilt: string | null = null,
): Decision<OperatorEvent> => {
  if (state.open.has(asked.id) || state.ended.get(asked.view)?.id === asked.id) return accept();
  if (asked.kind === 'refold' && asked.documents !== 'parked') {
    if (asked.documents.length === 0) return refuse('validation_failed', 'Name at least one document.');
    if (asked.documents.length > MOST_DOCUMENTS)
      return refuse(
        'validation_failed',
        `At most ${MOST_DOCUMENTS} documents are folded afresh at once, not ${asked.documents.length}: rebuild the view.`,
      );
  }
  if (state.paused.has(asked.view) && NEEDS_FEEDING.includes(asked.kind))
    return refuse(
      'conflict',
      `"${asked.view}" is paused, so that nothing of it is folded: \`assay projections resume ${asked.view}\`.`,
    );
  const waits = WAITS_FOR[asked.kind];
  const other = [...state.open.values()].find(
    ({ view, kind }) => view === asked.view && waits.includes(kind),
  );
  if (other !== undefined) return refuse('conflict', inTheWay(asked, other));
  if (asked.kind === 'rebuild' && beingBuilt !== null)
    return refuse(
      'conflict',
      `${beingBuilt} of "${asked.view}" is built already: promote it, or give it up: \`assay projections cancel ${asked.view}\`.`,
    );
  return accept(requested(asked));
};

/** What came of an operation; of one that is not open nothing is written. */
export const endOperation = (
  { open }: OperatorState,
  { operation, result, message, details }: Omit<OperationEnded['data'], 'view'>,
): Decision<OperatorEvent> => {
  const view = open.get(operation)?.view;
  if (view === undefined) return accept();
  return accept(plain({ type: 'operation.ended', data: { operation, view, result, message, details } }));
};

/** The same change twice in a row is one that was written down before. */
export const recordPromotion = (
  { promoted }: OperatorState,
  { view, from, to, operation }: GenerationPromoted['data'],
): Decision<OperatorEvent> => {
  const last = promoted.get(view);
  if (last?.from === from && last.to === to) return accept();
  return accept(plain({ type: 'generation.promoted', data: { view, from, to, operation } }));
};

/** A view that is paused already stays so. */
export const pauseProjection = ({ paused }: OperatorState, view: string): Decision<OperatorEvent> =>
  paused.has(view) ? accept() : accept(plain({ type: 'projection.paused', data: { view } }));

/** A view that is not paused is left as it is. */
export const resumeProjection = ({ paused }: OperatorState, view: string): Decision<OperatorEvent> =>
  paused.has(view) ? accept(plain({ type: 'projection.resumed', data: { view } })) : accept();

export interface SkipEvent {
  readonly view: string;
  readonly eventId: string;
  readonly documentId: string | null;
  readonly reason: string;
}

/** Leaves an event out of every later fold of a view, for good. */
export const skipEvent = ({ skipped }: OperatorState, skip: SkipEvent): Decision<OperatorEvent> => {
  const { view, eventId, documentId } = skip;
  const reason = skip.reason.trim();
  if (reason === '') return refuse('validation_failed', 'A skip needs a reason that is not blank.');
  if (reason.length > LONGEST_REASON || /\p{Cc}/u.test(reason))
    return refuse('validation_failed', `A reason is one line of at most ${LONGEST_REASON} characters.`);
  if (skipped.get(view)?.has(eventId) === true)
    return refuse('conflict', `The event ${eventId} is skipped already in "${view}".`);
  return accept(plain({ type: 'event.skipped', data: { view, eventId, documentId, reason } }));
};

/** For the record: an action that changes nothing in any view. */
export const recordAction = (action: string, details: Details): Decision<OperatorEvent> =>
  accept<OperatorActed>(plain({ type: 'operator.acted', data: { action, details } }));

const requested = (asked: Asked): RequestEvent => {
  const { id: operation, view } = asked;
  switch (asked.kind) {
    case 'rebuild': {
      const { segments, hold } = asked;
      return plain({ type: 'rebuild.requested', data: { operation, view, segments, hold } });
    }
    case 'promote': {
      const { acceptDifferences } = asked;
      return plain({ type: 'promotion.requested', data: { operation, view, acceptDifferences } });
    }
    case 'rollback':
      return plain({ type: 'rollback.requested', data: { operation, view } });
    case 'cancel':
      return plain({ type: 'cancellation.requested', data: { operation, view } });
    case 'refold': {
      const documents = asked.documents === 'parked' ? null : asked.documents;
      const { parkedOnly } = asked;
      return plain({ type: 'refold.requested', data: { operation, view, documents, parkedOnly } });
    }
  }
};

/** What each is called in a sentence. */
export const nameOfKind: Readonly<Record<RequestKind, string>> = {
  rebuild: 'rebuild',
  promote: 'promotion',
  rollback: 'rollback',
  cancel: 'cancellation',
  refold: 'repair of documents',
};

const inTheWay = ({ view }: Asked, other: Request): string => {
  const way =
    other.kind === 'rebuild' || other.kind === 'promote'
      ? `wait for its end, or give it up: \`assay projections cancel ${view}\`.`
      : `wait for its end: \`assay projections status ${view}\`.`;
  return `A ${nameOfKind[other.kind]} of "${view}" is not finished yet (operation ${other.id}, asked at ${other.requestedAt}); ${way}`;
};
