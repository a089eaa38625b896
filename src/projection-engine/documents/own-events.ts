import type { Decoded } from '../../event-store/codec.js';
import type { Stored } from '../../event-store/event.js';
import type { EventStore, Position, RecordedEvent } from '../../event-store/port.js';
import { VaultUnavailable } from '../../vault/errors.js';
import { foldGuard } from '../fold-guard.js';
import type { DocumentSealer } from '../sealer.js';
import { SharedEvent, type EventDecoder } from '../shared-event.js';
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
  /** Ids of the events that operators had left out. */
  readonly skipped: ReadonlySet<string>;
  /** By default the whole log. */
  readonly events?: EventSource;
  /** Told, from time to time, how far the log was read. */
  readonly onProgress?: (position: Position) => void;
  /** Ends it: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** An event and the document that it belongs to. */
export interface OwnEvent {
  readonly id: string;
  readonly event: Stored;
}

/** What is held at once, whichever is met first. */
const PAGE_EVENTS = 500;
const PAGE_BYTES = 2 << 20;

/**
 * The events of a view's documents in a stretch of the log, in log order, page by page.
 * @param stretch `after` is exclusive, `upTo` inclusive
 * @throws {CannotFold} one was written by newer code, cannot be read or cannot be assigned: none is ever left out
 * @throws {VaultUnavailable} a key cannot be had now: try again
 * Throws what the event store throws.
 */
export async function* ownEvents(
  { eventStore, codec }: Pick<FoldStores, 'eventStore' | 'codec'>,
  view: AnyView,
  { after, upTo }: { readonly after: Position; readonly upTo: Position },
  { skipped, events = wholeLog(eventStore), onProgress, signal }: ReadingOptions,
): AsyncGenerator<readonly OwnEvent[], void, undefined> {
  const handled = new Set(view.handles);
  for await (const page of pagesOf(events(after), upTo)) {
    signal?.throwIfAborted();
    const kept = page.filter(({ id }) => !skipped.has(id));
    const decoded = await decodeAll(kept, codec, handled);
    yield await assignAll(view, decoded);
    const last = page.at(-1);
    if (last !== undefined) onProgress?.(last.position);
  }
  signal?.throwIfAborted();
}

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

interface Readable {
  readonly recorded: RecordedEvent;
  readonly event: Stored;
}

async function decodeAll(
  page: readonly RecordedEvent[],
  codec: EventDecoder,
  handled: ReadonlySet<string>,
): Promise<readonly Readable[]> {
  const readable: Readable[] = [];
  for (const recorded of page) {
    const shared = new SharedEvent(recorded, codec);
    if (!shared.mayBe(handled)) continue;
    const decoding = decode(shared, recorded);
    const decoded = decoding instanceof Promise ? await decoding : decoding;
    if (decoded.kind === 'unknown' || !handled.has(typeOf(decoded))) continue;
    if (decoded.kind === 'newer') throw CannotFold.newer(recorded, decoded.type, decoded.schemaVersion);
    readable.push({ recorded, event: decoded.event });
  }
  return readable;
}

function decode(shared: SharedEvent, recorded: RecordedEvent): Decoded | Promise<Decoded> {
  const unreadable = (error: unknown): never => {
    // The event can be read as soon as its key can: that is no fault of the event's.
    throw error instanceof VaultUnavailable ? error : CannotFold.unreadable(recorded, error);
  };
  try {
    const decoding = shared.decode();
    return decoding instanceof Promise ? decoding.catch(unreadable) : decoding;
  } catch (error) {
    return unreadable(error);
  }
}

const typeOf = (decoded: Exclude<Decoded, { kind: 'unknown' }>): string =>
  decoded.kind === 'event' ? decoded.event.type : decoded.type;

/** The view's own code says whose they are. */
async function assignAll(view: AnyView, page: readonly Readable[]): Promise<readonly OwnEvent[]> {
  const own: OwnEvent[] = [];
  const refuse = ({ recorded }: Readable, error: unknown): never => {
    throw CannotFold.unassigned(recorded, view.name, error);
  };
  await foldGuard.each(
    page,
    (readable) => {
      const id = documentIdOf(view, readable, refuse);
      if (id !== null) own.push({ id, event: readable.event });
    },
    refuse,
  );
  return own;
}

function documentIdOf(
  view: AnyView,
  readable: Readable,
  refuse: (readable: Readable, error: unknown) => never,
): string | null {
  try {
    const id = view.documentId(readable.event);
    if (id === null || (typeof id === 'string' && id !== '')) return id;
  } catch (error) {
    refuse(readable, error);
  }
  return refuse(readable, new TypeError('What it gives is no document id.'));
}
