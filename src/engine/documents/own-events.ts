import type { Stored } from '../../core/event.js';
import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import type { FoldGuard } from '../fold-guard.js';
import type { DocumentSealer } from '../sealer.js';
import { SharedEvent, type EventDecoder } from '../shared-event.js';
import { sortOut, type Blocked } from '../sort-out.js';
import type { AnyView } from '../view.js';
import { CannotFold } from './errors.js';
import { wholeLog, type EventSource } from './sources.js';

/** What folding from the log takes. */
export interface FoldStores {
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly codec: EventDecoder;
  readonly sealer: DocumentSealer;
}

/** How the log is read for folds outside the live passes. */
export interface ReadingOptions {
  /** Ids of the events that operators had left out, as of the beginning: one fold must not mix two answers. */
  readonly skipped: ReadonlySet<string>;
  /** By default the whole log. */
  readonly events?: EventSource;
  /** Told, from time to time, how far the log was read. */
  readonly onProgress?: (position: Position) => void;
  /** Ends it: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Ends the view's code where it loops; by default the process's own. */
  readonly guard?: FoldGuard;
}

/** Events by the document that they belong to, each document's in log order. */
export type OwnEvents = ReadonlyMap<string, readonly Stored[]>;

/** What is held at once, whichever is met first. */
const PAGE_EVENTS = 500;
const PAGE_BYTES = 2 << 20;

/**
 * The events of a view's documents in a stretch of the log, page by page; skipped ones are left out, whatever
 * they are.
 * @param stretch `after` is exclusive, `upTo` inclusive
 * @throws {CannotFold} one was written by newer code, cannot be read or cannot be assigned: none is ever left out
 * @throws {VaultUnavailable} a key cannot be had now: try again
 * Throws what the event store throws.
 */
export async function* ownEvents(
  { eventStore, codec }: Pick<FoldStores, 'eventStore' | 'codec'>,
  view: AnyView,
  { after, upTo }: { readonly after: Position; readonly upTo: Position },
  { skipped, events = wholeLog(eventStore), onProgress, signal, guard }: ReadingOptions,
): AsyncGenerator<OwnEvents, void, undefined> {
  const all = { view, handled: new Set(view.handles), index: 0, count: 1, rules: LENIENT };
  for await (const page of pagesOf(events(after), upTo)) {
    signal?.throwIfAborted();
    const kept = page.filter(({ id }) => !skipped.has(id));
    const shared = kept.map((event) => new SharedEvent(event, codec));
    const { position } = page.at(-1) ?? { position: after };
    const work = await sortOut(all, { events: shared, position, more: false }, after, guard);
    if (work.blocked !== null) throw blockedBy(work.blocked, kept, work.position);
    yield work.documents;
    onProgress?.(position);
  }
  signal?.throwIfAborted();
}

const LENIENT = { strict: false, skipped: (): ReadonlySet<string> => new Set() };

async function* pagesOf(
  events: AsyncIterable<RecordedEvent>,
  upTo: Position,
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  let page: RecordedEvent[] = [];
  let bytes = 0;
  for await (const event of events) {
    if (event.position > upTo) break;
    page.push(event);
    bytes += event.data.byteLength + event.metadata.byteLength;
    if (event.position === upTo) break;
    if (page.length < PAGE_EVENTS && bytes < PAGE_BYTES) continue;
    yield page;
    page = [];
    bytes = 0;
  }
  if (page.length > 0) yield page;
}

/** The event that nothing could be done about is the first one beyond what could be. */
function blockedBy(blocked: Blocked, page: readonly RecordedEvent[], position: Position): Error {
  const why = blocked.kind === 'failed' ? blocked.failure.message : blocked.message;
  const event = page.find((candidate) => candidate.position > position);
  return event === undefined ? new Error(why) : new CannotFold(event, why);
}
