import type { Stored } from '../core/event.js';
import type { Position } from '../core/event-store.js';
import type { FoldFailure, GuardedWrite, Json, StoredDocument } from '../stores/read-store.js';
import { Folding, type Listing, type Refusal } from './folding.js';
import { settle } from './json.js';
import type { DocumentSealer } from './sealer.js';
import type { AnyView, ViewDocument } from './view.js';

/** Lists parked documents, so that health finds them after a restart. Declared on every collection. */
export const PARKED_INDEX = 'engineParked';

export interface Parked {
  readonly documentId: string;
  readonly position: Position;
  readonly reason: string;
}

export interface FoldedDocument {
  readonly write: GuardedWrite;
  /** Where this fold has parked the document. */
  readonly parked: Parked | null;
}

/** What a document has come to. */
export interface Content {
  /** `null`: none yet. */
  readonly content: ViewDocument | null;
  readonly listing: Listing;
  readonly parkedAt: Position | null;
}

/** A document brought on from where it stands, before anything is sealed or stored. */
export interface DocumentFold {
  readonly before: StoredDocument | null;
  readonly folding: Folding;
  /** Of the last event. */
  readonly position: Position;
}

/**
 * A document folded afresh, from nothing up to where the stored one stands, as a write over exactly that one: it
 * raises `repairs` by one and leaves the position as it is. Where nothing is left, since every event is skipped, a
 * tombstone without a body stands for it. Throws what sealing throws.
 */
export async function describeAfresh(
  sealer: DocumentSealer,
  { id, position, repairs = 0 }: StoredDocument,
  afresh: Content,
): Promise<GuardedWrite> {
  return await describe(
    sealer,
    { id, expected: position, expectedRepairs: repairs, position, repairs: repairs + 1 },
    afresh,
  );
}

/**
 * Readies one document for folding from where it stands to the last of `events`, all of which are its own, in log
 * order. Skipped ones only move its position; where there is nothing else a tombstone without a body stands for it.
 * @param before as read, `null` where there is none yet
 * @returns `null` where it stands there already; without a promise where opening needs none
 * Throws what opening throws.
 */
export function openFold(
  view: AnyView,
  sealer: DocumentSealer,
  id: string,
  before: StoredDocument | null,
  events: readonly Stored[],
  skipped: ReadonlySet<string>,
): DocumentFold | null | Promise<DocumentFold | null> {
  const fresh = before === null ? events : events.filter(({ position }) => position > before.position);
  const last = fresh.at(-1);
  if (last === undefined) return null;
  const own = skipped.size === 0 ? fresh : fresh.filter((event) => !skipped.has(event.id));
  const taken = before !== null && before.parkedAt !== null ? [] : own;
  const ready = (content: ViewDocument | null): DocumentFold => {
    const folding = new Folding(view, id, content === null ? null : settle(content), taken);
    return { before, folding, position: last.position };
  };
  if (before === null || before.body === null) return ready(null);
  const content = sealer.openNow?.(before.body) ?? sealer.open(before.body);
  return content instanceof Promise ? content.then(ready) : ready(content);
}

/**
 * What is to be written of a document once it is folded: parked where it has refused an event. Without a promise where
 * sealing needs none. Throws what sealing throws.
 */
export function describeFold(
  sealer: DocumentSealer,
  { before, folding, position }: DocumentFold,
): FoldedDocument | Promise<FoldedDocument> {
  const { id, content, listing, refusal } = folding;
  const expected = before?.position ?? null;
  const repairs = before?.repairs ?? 0;
  const parkedAt = before?.parkedAt ?? parkedBy(folding);
  const write = describe(
    sealer,
    { id, expected, expectedRepairs: repairs, position, repairs },
    { content, listing, parkedAt },
  );
  const parked = parkedIn(id, refusal);
  return write instanceof Promise ? write.then((sealed) => ({ write: sealed, parked })) : { write, parked };
}

/** How a strict fold names what it stops at. @param documentId `null`: the event could not be assigned to any */
export const failureOf = ({ event, reason }: Refusal, documentId: string | null): FoldFailure => ({
  eventId: event.id,
  eventType: event.type,
  position: event.position,
  documentId,
  message: reason,
});

const parkedIn = (documentId: string, refusal: Refusal | null): Parked | null =>
  refusal && { documentId, position: refusal.event.position, reason: refusal.reason };

const parkedBy = ({ refusal }: Folding): Position | null => refusal?.event.position ?? null;

/** What is to stand where a document is written, and what then does. */
interface Place {
  readonly id: string;
  readonly expected: Position | null;
  readonly expectedRepairs: number;
  readonly position: Position;
  readonly repairs: number;
}

function describe(
  sealer: DocumentSealer,
  place: Place,
  outcome: Content,
): GuardedWrite | Promise<GuardedWrite> {
  const { content } = outcome;
  if (content === null) return writeOf(place, outcome, null);
  const body = sealer.sealNow?.(content) ?? sealer.seal(content);
  return body instanceof Promise
    ? body.then((sealed) => writeOf(place, outcome, sealed))
    : writeOf(place, outcome, body);
}

function writeOf(
  { id, expected, expectedRepairs, position, repairs }: Place,
  { content, listing, parkedAt }: Content,
  body: Json,
): GuardedWrite {
  // A parked one stays listed among the parked; readers are refused it.
  const deleted = (listing.removed || content === null) && parkedAt === null;
  const keys = deleted ? {} : listing.keys;
  const document: StoredDocument = {
    id,
    position,
    parkedAt,
    deleted,
    body,
    ...(repairs > 0 && { repairs }),
  };
  return {
    expected,
    ...(expectedRepairs > 0 && { expectedRepairs }),
    document,
    keys: parkedAt === null ? keys : { ...keys, [PARKED_INDEX]: [parkedAt] },
  };
}
