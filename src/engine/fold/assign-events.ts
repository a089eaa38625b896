import { isPromise } from '../../core/concurrency.js';
import { VaultUnavailable } from '../../core/errors.js';
import type { Position } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import type { FoldFailure } from '../../stores/read-store.js';
import { discreetReason, reasonOf } from '../errors.js';
import type { Batch } from '../live/feed.js';
import { segmentOf, type Segment } from '../segments.js';
import type { AnyView } from '../view.js';
import { foldGuard, type FoldGuard } from './fold-guard.js';
import { failureOf, type Refusal } from './folding.js';

/** The events of a batch that a segment has to fold. */
export interface AssignedEvents {
  /** Each document's own events in log order, skipped ones included. */
  readonly documents: ReadonlyMap<string, readonly Stored[]>;
  readonly events: number;
  /** Ids of the events that operators skip, the same for all of the batch. */
  readonly skipped: ReadonlySet<string>;
  /** The segment's position once they are folded: before the batch's end if an event blocks it. */
  readonly position: Position;
  /** `null`: no event of the batch blocks the segment. */
  readonly blocked: Blocked | null;
}

/** The event that blocks a segment. */
export type Blocked =
  /** This process cannot read or assign it; another one may. */
  | {
      readonly kind: 'stopped';
      readonly reason: 'newer event' | 'unreadable event';
      readonly message: string;
    }
  /** A strict segment cannot fold it, and skips no event. */
  | { readonly kind: 'failed'; readonly failure: FoldFailure };

/** The parts of a segment that decide which events it folds. */
type Scope = Pick<Segment, 'view' | 'handled' | 'index' | 'count' | 'rules'>;

/**
 * Decodes the events of a batch that a segment's view handles, and assigns them to documents. The position passes the
 * events that it ignores, and skipped ones even if they can be neither read nor assigned.
 * Throws what opening a key throws while the vault does not answer: the pass is then repeated.
 */
export async function assignEvents(
  segment: Scope,
  batch: Batch,
  from: Position,
  guard: FoldGuard = foldGuard,
): Promise<AssignedEvents> {
  const { rules, index, count } = segment;
  const { skipped } = rules;
  const { events, ...read } = await readHandled(segment, batch, from, skipped);
  // The usual case of a live event: most views do not handle it.
  if (events.length === 0) return { documents: NO_DOCUMENTS, events: 0, skipped, ...read };
  const { ids, refused } = await documentIdsOf(segment.view, events, skipped, guard);
  const documents = new Map<string, Stored[]>();
  let assigned = 0;
  for (const [n, event] of events.entries()) {
    if (refused !== null && event.position >= refused.event.position) break;
    const id = ids[n] ?? null;
    if (id === null || segmentOf(id, count) !== index) continue;
    const own = documents.get(id);
    if (own === undefined) documents.set(id, [event]);
    else own.push(event);
    assigned++;
  }
  const work = { documents, events: assigned, skipped };
  if (refused === null) return { ...work, ...read };
  const position = positionBefore(batch, refused.event.position, from);
  return { ...work, position, blocked: blockedBy(refused, rules.strict) };
}

const NO_DOCUMENTS: AssignedEvents['documents'] = new Map();

/** The position of a segment that has folded the events of a batch before `position`. */
export const positionBefore = ({ events }: Batch, position: Position, from: Position): Position =>
  events.findLast((event) => event.position < position)?.position ?? from;

interface Readable extends Pick<AssignedEvents, 'position' | 'blocked'> {
  /** Events of types that the view handles. */
  readonly events: readonly Stored[];
}

async function readHandled(
  { handled }: Scope,
  batch: Batch,
  from: Position,
  skipped: ReadonlySet<string>,
): Promise<Readable> {
  const events: Stored[] = [];
  let position = from;
  const stop = (reason: 'newer event' | 'unreadable event', message: string): Readable => ({
    events,
    position,
    blocked: { kind: 'stopped', reason, message },
  });
  for (const shared of batch.events) {
    if (shared.mayBe(handled)) {
      try {
        const decoding = shared.decode();
        const decoded = isPromise(decoding) ? await decoding : decoding;
        if (decoded.kind === 'event') {
          if (handled.has(decoded.event.type)) events.push(decoded.event);
        } else if (handled.has(decoded.type) && !skipped.has(shared.id)) {
          return stop('newer event', `A ${decoded.type} event was written by a newer version.`);
        }
      } catch (error) {
        // Its key cannot be read now: the pass is repeated, and the event does not block the segment.
        if (error instanceof VaultUnavailable) throw error;
        if (!skipped.has(shared.id)) {
          return stop('unreadable event', `A ${shared.storedType} event cannot be read: ${reasonOf(error)}`);
        }
      }
    }
    position = shared.position;
  }
  return { events, position: batch.position, blocked: null };
}

/** The ids of their documents, up to the first event that the view cannot assign. */
async function documentIdsOf(
  view: AnyView,
  events: readonly Stored[],
  skipped: ReadonlySet<string>,
  guard: FoldGuard,
): Promise<{ readonly ids: readonly (string | null)[]; readonly refused: Refusal | null }> {
  const ids: (string | null)[] = [];
  let refused: Refusal | null = null as Refusal | null;
  const refuse = (event: Stored, reason: string): void => {
    if (!skipped.has(event.id)) refused ??= { event, reason };
  };
  await guard.each(
    events,
    (event, n) => {
      if (refused !== null) return;
      try {
        ids[n] = documentIdOf(view, event);
      } catch (error) {
        refuse(event, discreetReason(error, [event.personal]));
      }
    },
    (event, timedOut) => refuse(event, timedOut.message),
  );
  return { ids, refused };
}

function documentIdOf(view: AnyView, event: Stored): string | null {
  const id = view.documentId(event);
  if (id === '' || (id !== null && typeof id !== 'string')) {
    throw new TypeError(`The view "${view.name}" gives it no usable document id.`);
  }
  return id;
}

/** An event that is not assigned to a document cannot park one: it stops the segment. */
function blockedBy(refused: Refusal, strict: boolean): Blocked {
  if (strict) return { kind: 'failed', failure: failureOf(refused, null) };
  const message = `A ${refused.event.type} event cannot be assigned to a document: ${refused.reason}`;
  return { kind: 'stopped', reason: 'unreadable event', message };
}
