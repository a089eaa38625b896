import { accept, type Decider, type Decision, refuse } from '../../core/decider.js';
import type { Revision } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import type { Ending, Operation } from '../../engine/generations/operations.js';
import {
  type Details,
  type EventSkipped,
  type GenerationPromoted,
  type OperationEnded,
  type OperatorActed,
  operatorEvent,
  type OperatorEvent,
  type RequestEvent,
} from './events.js';
import { type OperationKind, OPERATIONS } from './operations.js';

/** A requested operation. */
export type Request = Operation & {
  /** RFC 3339, by the asking process's clock. */
  readonly requestedAt: string;
};

/** An operation that is over. */
export interface EndedOperation extends Ending, Pick<Request, 'id' | 'view' | 'kind' | 'requestedAt'> {
  readonly endedAt: string;
}

/** Mails and notices due up to a restore: the restored log does not show whether they were sent. */
export interface PreRestoreMails {
  /** RFC 3339, in UTC. */
  readonly until: string;
  /** `held`: until an operator decides. `sent`: they count as sent. `failed`: they are not sent. */
  readonly are: 'held' | 'sent' | 'failed';
}

export interface OperatorState {
  /** The revision of each reactor's installation, by its name. Its position is read from the log. */
  readonly reactors: ReadonlyMap<string, Revision>;
  /** Asked for and not ended, by id, in the order they were asked. */
  readonly open: ReadonlyMap<string, Request>;
  /** Each view's last ended operation. */
  readonly ended: ReadonlyMap<string, EndedOperation>;
  /** Each view's last change of the generation that serves. */
  readonly promoted: ReadonlyMap<string, { readonly from: string; readonly to: string }>;
  /** Views that are not to be fed. */
  readonly paused: ReadonlySet<string>;
  /** By view, the ids of events that its folds leave out. A view's set is another object only after a further skip. */
  readonly skipped: ReadonlyMap<string, ReadonlySet<string>>;
  /** After a restore; `null`: there are none, or they are released. */
  readonly preRestoreMails: PreRestoreMails | null;
}

/** Folds the stream `operator-log`. */
export const operator: Decider<OperatorState, OperatorEvent> = {
  kind: 'operator',
  initial: {
    reactors: new Map(),
    open: new Map(),
    ended: new Map(),
    promoted: new Map(),
    paused: new Set(),
    skipped: new Map(),
    preRestoreMails: null,
  },
  evolve(state, event) {
    switch (event.type) {
      case 'reactor.installed': {
        const { reactor } = event.data;
        if (state.reactors.has(reactor)) return state;
        return { ...state, reactors: extended(state.reactors, reactor, event.revision) };
      }
      case 'operation.ended':
        return ended(state, event);
      case 'generation.promoted': {
        const { view, from, to } = event.data;
        return { ...state, promoted: extended(state.promoted, view, { from, to }) };
      }
      case 'projection.paused':
        return { ...state, paused: new Set([...state.paused, event.data.view]) };
      case 'projection.resumed':
        return { ...state, paused: new Set([...state.paused].filter((view) => view !== event.data.view)) };
      case 'event.skipped': {
        const { view, eventId } = event.data;
        const skipped = new Set([...(state.skipped.get(view) ?? []), eventId]);
        return { ...state, skipped: extended(state.skipped, view, skipped) };
      }
      case 'operator.acted':
        return { ...state, preRestoreMails: preRestoreMailsAfter(state.preRestoreMails, event.data) };
      default:
        return { ...state, open: extended(state.open, event.data.operation, requestOf(event)) };
    }
  },
};

/** Names of an operator's actions on mails, as the log has them. */
export const MAIL_ACTIONS = {
  hold: 'mails.hold',
  release: 'mails.release',
  giveUp: 'mails.give_up',
} as const;

/** What a restore records in its details about mails, and `mails.hold` too. */
export const preRestoreDetails = ({ until, are }: PreRestoreMails): Details =>
  are === 'sent' ? { mailsSentUntil: until } : { mailsHeldUntil: until };

const preRestoreMailsAfter = (
  before: PreRestoreMails | null,
  { action, details }: OperatorActed['data'],
): PreRestoreMails | null => {
  const { mailsHeldUntil, mailsSentUntil } = details;
  if (typeof mailsHeldUntil === 'string') return { until: mailsHeldUntil, are: 'held' };
  if (typeof mailsSentUntil === 'string') return { until: mailsSentUntil, are: 'sent' };
  if (action === MAIL_ACTIONS.release) return null;
  return action === MAIL_ACTIONS.giveUp && before ? { ...before, are: 'failed' } : before;
};

/**
 * What becomes of a mail or notice that was due before a restore; `null`: it was due later, or there was none.
 * @param dueAt its next attempt
 */
export const preRestoreStatus = (
  { preRestoreMails }: OperatorState,
  dueAt: string | null,
): PreRestoreMails['are'] | null =>
  preRestoreMails !== null && dueAt !== null && Date.parse(dueAt) <= Date.parse(preRestoreMails.until)
    ? preRestoreMails.are
    : null;

const ended = (state: OperatorState, { data, metadata }: Stored<OperationEnded>): OperatorState => {
  const request = state.open.get(data.operation);
  if (request === undefined) return state;
  const { id, view, kind, requestedAt } = request;
  const { result, message, details } = data;
  const operation = { id, view, kind, requestedAt, endedAt: metadata.recordedAt, result, message, details };
  const open = new Map(state.open);
  open.delete(id);
  return { ...state, open, ended: extended(state.ended, view, operation) };
};

const extended = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  new Map(map).set(key, value);

const KINDS = Object.fromEntries(
  Object.entries(OPERATIONS).map(([kind, { event }]) => [event, kind]),
) as Readonly<Record<RequestEvent['type'], OperationKind>>;

const requestOf = ({ type, data, metadata }: Stored<RequestEvent>): Request => {
  const { operation: id, view, ...parameters } = data;
  const documents = type === 'refold.requested' ? { documents: data.documents ?? 'parked' } : {};
  const request = { id, view, requestedAt: metadata.recordedAt, kind: KINDS[type] };
  return { ...request, ...parameters, ...documents } as Request;
};

const requested = (asked: Operation): RequestEvent => {
  const { id: operation, view, kind, ...parameters } = asked;
  const documents =
    asked.kind === 'refold' ? { documents: asked.documents === 'parked' ? null : asked.documents } : {};
  const data = { operation, view, ...parameters, ...documents };
  return operatorEvent(OPERATIONS[kind].event, data as RequestEvent['data']);
};

/** Maximum number of documents of one request. To repair more, rebuild the view. */
export const MAX_DOCUMENTS = 1_000;

/**
 * Asks for an operation. A known id changes nothing.
 * @param beingBuilt the generation, if any, that is built beside the live one and has not failed
 */
export const request = (
  state: OperatorState,
  asked: Operation,
  beingBuilt: string | null = null,
): Decision<OperatorEvent> => {
  const { id, view, kind } = asked;
  if (state.open.has(id) || state.ended.get(view)?.id === id) return accept();
  if (asked.kind === 'refold' && asked.documents !== 'parked') {
    if (asked.documents.length === 0) return refuse('validation_failed', 'Name at least one document.');
    if (asked.documents.length > MAX_DOCUMENTS)
      return refuse(
        'validation_failed',
        `Name at most ${MAX_DOCUMENTS} documents, not ${asked.documents.length}; for more, rebuild the view.`,
      );
  }
  const { needsFeeding } = OPERATIONS[kind];
  if (needsFeeding && state.paused.has(view))
    return refuse('conflict', `"${view}" is paused: resume it first, \`assay projections resume ${view}\`.`);
  const blockedBy: readonly OperationKind[] = OPERATIONS[kind].blockedBy;
  const other = [...state.open.values()].find((one) => one.view === view && blockedBy.includes(one.kind));
  if (other !== undefined) return refuse('conflict', inTheWay(other));
  if (kind === 'rebuild' && beingBuilt !== null)
    return refuse(
      'conflict',
      `${beingBuilt} is built already: promote it, or cancel it: \`assay projections cancel ${view}\`.`,
    );
  return accept(requested(asked));
};

const inTheWay = ({ id, view, kind, requestedAt }: Request): string => {
  const { name, cancellable } = OPERATIONS[kind];
  const way = cancellable
    ? `wait for its end, or cancel it: \`assay projections cancel ${view}\`.`
    : `wait for its end: \`assay projections status ${view}\`.`;
  return `A ${name} of "${view}" is not finished yet (operation ${id}, asked at ${requestedAt}); ${way}`;
};

/** Ends an operation. One that is not open is left as it is. */
export const endOperation = (
  { open }: OperatorState,
  { operation, result, message, details }: Omit<OperationEnded['data'], 'view'>,
): Decision<OperatorEvent> => {
  const view = open.get(operation)?.view;
  if (view === undefined) return accept();
  return accept(operatorEvent('operation.ended', { operation, view, result, message, details }));
};

/** Records that another generation serves. The same change twice in a row is one. */
export const recordPromotion = (
  { promoted }: OperatorState,
  { view, from, to, operation }: GenerationPromoted['data'],
): Decision<OperatorEvent> => {
  const last = promoted.get(view);
  if (last?.from === from && last.to === to) return accept();
  return accept(operatorEvent('generation.promoted', { view, from, to, operation }));
};

/** Pauses a view. If it is paused already, nothing changes. */
export const pauseProjection = ({ paused }: OperatorState, view: string): Decision<OperatorEvent> =>
  paused.has(view) ? accept() : accept(operatorEvent('projection.paused', { view }));

/** Resumes a view. If it is not paused, nothing changes. */
export const resumeProjection = ({ paused }: OperatorState, view: string): Decision<OperatorEvent> =>
  paused.has(view) ? accept(operatorEvent('projection.resumed', { view })) : accept();

/** Longest reason, in UTF-16 units. */
const MAX_REASON = 500;

/** Leaves an event out of every later fold of a view, for good. */
export const skipEvent = (
  { skipped }: OperatorState,
  skip: EventSkipped['data'],
): Decision<OperatorEvent> => {
  const { view, eventId, documentId } = skip;
  const reason = skip.reason.trim();
  if (reason === '') return refuse('validation_failed', 'A skip needs a reason that is not blank.');
  if (reason.length > MAX_REASON || /\p{Cc}/u.test(reason))
    return refuse('validation_failed', `A reason is one line of at most ${MAX_REASON} characters.`);
  if (skipped.get(view)?.has(eventId) === true)
    return refuse('conflict', `The event ${eventId} is already skipped in "${view}".`);
  return accept(operatorEvent('event.skipped', { view, eventId, documentId, reason }));
};

/**
 * Records an action that changes no view. Actions on mails, and a restore that says how far mails had gone, change
 * `preRestoreMails`: see `MAIL_ACTIONS`.
 */
export const recordAction = (action: string, details: Details): Decision<OperatorEvent> =>
  accept(operatorEvent('operator.acted', { action, details }));

/**
 * Decides on the mails and notices that are held: see `MAIL_ACTIONS`.
 * @param action `release` or `giveUp`
 */
export const decideOnHeldMails = (
  { preRestoreMails }: OperatorState,
  action: string,
): Decision<OperatorEvent> =>
  preRestoreMails?.are === 'held'
    ? recordAction(action, { until: preRestoreMails.until })
    : refuse('conflict', 'No mails or notices are held.');

/** Installs the reactors that are not installed yet, in one append. A reactor is installed once. */
export const installReactors = (
  { reactors }: OperatorState,
  names: readonly string[],
): Decision<OperatorEvent> =>
  accept(
    ...names
      .filter((reactor) => !reactors.has(reactor))
      .map((reactor) => operatorEvent('reactor.installed', { reactor })),
  );
