import type { Stored } from '../../core/event.js';
import type { Position } from '../../core/event-store.js';
import type { FoldFailure } from '../../stores/read-store.js';
import { VaultUnavailable } from '../../core/errors.js';
import { discreetReason, reasonOf } from '../errors.js';
import type { Batch } from '../live/feed.js';
import { foldGuard, type FoldGuard } from './fold-guard.js';
import { failureOf, type Refusal } from './folding.js';
import { segmentOf, type Segment } from '../segments.js';
import type { AnyView } from '../view.js';

/** What a segment has to do about a batch. */
export interface Work {
  /** Their own events by document, in log order; those to be left out among them. */
  readonly documents: ReadonlyMap<string, readonly Stored[]>;
  readonly events: number;
  /** Ids of the events to be left out, the same for all of the batch. */
  readonly skipped: ReadonlySet<string>;
  /** The segment's position after they are folded: before the batch's end if an event is in the way. */
  readonly position: Position;
  readonly blocked: Blocked | null;
}

/** An event is in the way. */
export type Blocked =
  /** This process cannot deal with it, another one may. */
  | {
      readonly kind: 'stopped';
      readonly reason: 'newer event' | 'unreadable event';
      readonly message: string;
    }
  /** It cannot be folded, and nothing is to be left out. */
  | { readonly kind: 'failed'; readonly failure: FoldFailure };

/** Which events are its own. */
type Share = Pick<Segment, 'view' | 'handled' | 'index' | 'count' | 'rules'>;

/**
 * The segment's part of a batch. Events it ignores count too: the checkpoint must pass them. So it does those that an
 * operator had left out, even if they can be neither read nor assigned.
 */
export async function sortOut(
  segment: Share,
  batch: Batch,
  from: Position,
  guard: FoldGuard = foldGuard,
): Promise<Work> {
  const { rules, index, count } = segment;
  const skipped = rules.skipped();
  const { events, ...read } = await readHandled(segment, batch, from, skipped);
  // The usual case of a live event, which is of no interest to most views.
  if (events.length === 0) return { documents: NO_DOCUMENTS, events: 0, skipped, ...read };
  const { ids, refused } = await assign(segment.view, events, skipped, guard);
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

const NO_DOCUMENTS: Work['documents'] = new Map();

/** Position of a segment that has folded everything of a batch before `position`. */
export const positionBefore = ({ events }: Batch, position: Position, from: Position): Position =>
  events.findLast((event) => event.position < position)?.position ?? from;

interface Readable extends Pick<Work, 'position' | 'blocked'> {
  /** Of types that the view handles. */
  readonly events: readonly Stored[];
}

async function readHandled(
  { handled }: Share,
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
        const decoded = decoding instanceof Promise ? await decoding : decoding;
        if (decoded.kind === 'event') {
          if (handled.has(decoded.event.type)) events.push(decoded.event);
        } else if (handled.has(decoded.type) && !skipped.has(shared.id)) {
          return stop('newer event', `A ${decoded.type} event was written by a newer version.`);
        }
      } catch (error) {
        // The event can be read as soon as its key can: that is a pass to be repeated, and no event in the way.
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

/** The documents of events, up to the first one that the view cannot assign. */
async function assign(
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

/** Without a document there is nothing to park. */
function blockedBy(refused: Refusal, strict: boolean): Blocked {
  if (strict) return { kind: 'failed', failure: failureOf(refused, null) };
  const message = `A ${refused.event.type} event cannot be assigned to a document: ${refused.reason}`;
  return { kind: 'stopped', reason: 'unreadable event', message };
}
