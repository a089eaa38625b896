import { accept, type Decider, type Decision } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { Position } from '../../core/event-store.js';
import type { Details, OperationEnded, OperationResult, OperatorEvent, RequestEvent } from './events.js';

/** What an operator asked for; the engine's `Operation`, and when it was asked. */
export type Request = {
  readonly id: string;
  readonly view: string;
  /** RFC 3339, by the asking process's clock. */
  readonly requestedAt: string;
} & (
  | { readonly kind: 'rebuild'; readonly segments: number | null; readonly hold: boolean }
  | { readonly kind: 'promote'; readonly acceptDifferences: boolean }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'cancel' }
  | {
      readonly kind: 'refold';
      readonly documents: readonly string[] | 'parked';
      readonly parkedOnly: boolean;
    }
);

export type RequestKind = Request['kind'];

/** An operation that is over. */
export interface EndedOperation {
  readonly id: string;
  readonly view: string;
  readonly kind: RequestKind;
  readonly requestedAt: string;
  readonly endedAt: string;
  readonly result: OperationResult;
  readonly message: string;
  readonly details: Details;
}

export interface OperatorState {
  /** Where each reactor was installed, by its name. */
  readonly reactors: ReadonlyMap<string, Position>;
  /** Asked for and not ended, by id, in the order they were asked. */
  readonly open: ReadonlyMap<string, Request>;
  /** The one of each view that ended last. */
  readonly ended: ReadonlyMap<string, EndedOperation>;
  /** Each view's last change of the generation that serves. */
  readonly promoted: ReadonlyMap<string, { readonly from: string; readonly to: string }>;
  /** Views that are not to be fed. */
  readonly paused: ReadonlySet<string>;
  /** By view, the ids of events that its folds leave out; a view's set is replaced only when another is skipped. */
  readonly skipped: ReadonlyMap<string, ReadonlySet<string>>;
}

export const operator: Decider<OperatorState, OperatorEvent> = {
  kind: 'operator',
  initial: {
    reactors: new Map(),
    open: new Map(),
    ended: new Map(),
    promoted: new Map(),
    paused: new Set(),
    skipped: new Map(),
  },
  evolve(state, event) {
    switch (event.type) {
      case 'reactor.installed': {
        const { reactor } = event.data;
        if (state.reactors.has(reactor)) return state;
        return { ...state, reactors: extended(state.reactors, reactor, event.position) };
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
        return state;
      default:
        return { ...state, open: extended(state.open, event.data.operation, requestOf(event)) };
    }
  },
};

/** Once: a reactor that is installed stays where it is. */
export const installReactor = (
  { reactors }: OperatorState,
  { reactor }: { readonly reactor: string },
): Decision<OperatorEvent> =>
  reactors.has(reactor) ? accept() : accept(plain({ type: 'reactor.installed', data: { reactor } }));

/** An event of this stream: none of them has a person. */
export const plain = <E extends Pick<OperatorEvent, 'type' | 'data'>>(event: E) => ({
  ...event,
  person: null,
  personal: null,
});

const requestOf = (event: Stored<RequestEvent>): Request => {
  const { operation: id, view } = event.data;
  const common = { id, view, requestedAt: event.metadata.recordedAt };
  switch (event.type) {
    case 'rebuild.requested':
      return { ...common, kind: 'rebuild', segments: event.data.segments, hold: event.data.hold };
    case 'promotion.requested':
      return { ...common, kind: 'promote', acceptDifferences: event.data.acceptDifferences };
    case 'rollback.requested':
      return { ...common, kind: 'rollback' };
    case 'cancellation.requested':
      return { ...common, kind: 'cancel' };
    case 'refold.requested': {
      const { documents, parkedOnly } = event.data;
      return { ...common, kind: 'refold', documents: documents ?? 'parked', parkedOnly };
    }
  }
};

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
