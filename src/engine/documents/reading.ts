import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import type { Generation, ReadStore } from '../../stores/read-store.js';
import { assignEvents, type Blocked } from '../fold/assign-events.js';
import { checkpointNames } from '../generations/generations.js';
import { SharedEvent, type EventDecoder } from '../live/ring.js';
import type { DocumentSealer, AnyView } from '../view.js';

/** The stores that a fold from the log needs. */
export interface FoldStores {
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly codec: EventDecoder;
  readonly sealer: DocumentSealer;
}

/** How the log is read for folds outside the live passes. */
export interface ReadingOptions {
  /** Ids of skipped events, read once: one fold must not mix two answers. */
  readonly skipped: ReadonlySet<string>;
  /** Default: the whole log. */
  readonly events?: EventSource;
  /** Called after each page, once the caller has handled it, with its last position; by default not. */
  readonly onProgress?: (position: Position) => void;
  /** Aborting it throws its reason, before the next page. Without it the reading goes to its end. */
  readonly signal?: AbortSignal;
}

/** Events by the document that they belong to, each document's in log order. */
export type OwnEvents = ReadonlyMap<string, readonly Stored[]>;

/** The size of a page, whichever is reached first. */
const PAGE_EVENTS = 500;
const PAGE_BYTES = 2 << 20;

/**
 * The events of a view's documents in a stretch of the log, page by page; skipped ones are left out, even if they
 * cannot be read.
 * @param stretch `after` is exclusive, `upTo` inclusive
 * @throws {CannotFold} an event that is not skipped was written by newer code, cannot be read or cannot be assigned
 * @throws {VaultUnavailable} a key cannot be read now: try again
 * @throws what the event store throws
 */
export async function* ownEvents(
  { eventStore, codec }: Pick<FoldStores, 'eventStore' | 'codec'>,
  view: AnyView,
  { after, upTo }: { readonly after: Position; readonly upTo: Position },
  { skipped, events = wholeLog(eventStore), onProgress, signal }: ReadingOptions,
): AsyncGenerator<OwnEvents, void, undefined> {
  const all = { view, handled: new Set(view.handles), index: 0, count: 1, rules: LENIENT };
  for await (const page of pagesOf(events(after), upTo)) {
    signal?.throwIfAborted();
    const kept = page.filter(({ id }) => !skipped.has(id));
    const shared = kept.map((event) => new SharedEvent(event, codec));
    const { position } = page.at(-1) ?? { position: after };
    const work = await assignEvents(all, { events: shared, position, more: false }, after);
    if (work.blocked !== null) throw blockedBy(work.blocked, kept, work.position);
    yield work.documents;
    onProgress?.(position);
  }
  signal?.throwIfAborted();
}

const LENIENT = { strict: false, skipped: new Set<string>() };

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

/** The blocking event is the first one after the position that was reached. */
function blockedBy(blocked: Blocked, page: readonly RecordedEvent[], position: Position): Error {
  const why = blocked.kind === 'failed' ? blocked.failure.message : blocked.message;
  const event = page.find((candidate) => candidate.position > position);
  return event === undefined ? new Error(why) : new CannotFold(event, why);
}

/**
 * The source of events of folds outside the live passes: every event of the requested documents after a position, in
 * log order, possibly among other events. It may end anywhere after the last requested position.
 */
export type EventSource = (after: Position) => AsyncIterable<RecordedEvent>;

/** The whole log. */
export const wholeLog =
  (eventStore: Pick<EventStore, 'readAll'>): EventSource =>
  (after) =>
    eventStore.readAll({ after });

/** How much of the log one request may read. */
export interface ReadLimits {
  readonly events: number;
  /** Milliseconds from the beginning of the reading. */
  readonly ms: number;
}

/** How much a request may still read. */
export class Budget {
  readonly #deadline: number;
  #events: number;

  constructor(
    limits: ReadLimits,
    /** The requested thing, as the beginning of a sentence. */
    private readonly what: string,
  ) {
    this.#events = limits.events;
    this.#deadline = performance.now() + limits.ms;
  }

  /** Counts one more event. @returns false: a limit is exceeded */
  spend(): boolean {
    return --this.#events >= 0 && performance.now() <= this.#deadline;
  }

  /** The error to throw once `spend` has returned false. */
  exceeded(): TooFar {
    return new TooFar(this.what);
  }
}

/** The request needs more of the log than the limits allow. */
export class TooFar extends Error {
  readonly code = 'too_far';
  override readonly name = 'TooFar';
  constructor(what: string) {
    super(`${what}: this reaches too far back in the log to be folded on demand.`);
  }
}

/** An event of the log blocks a fold. A fold without it would be wrong. */
export class CannotFold extends Error {
  readonly code = 'cannot_fold';
  override readonly name = 'CannotFold';
  constructor(
    readonly event: Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision' | 'position'>,
    why: string,
  ) {
    const { id, stream, revision } = event;
    super(`Event ${id} (${stream}, revision ${revision}) is in the way: ${why}`);
  }
}

/** The generation was dropped while it was read. */
export class GenerationGone extends Error {
  readonly code = 'generation_gone';
  override readonly name = 'GenerationGone';
  constructor(readonly generation: string) {
    super(`The generation ${generation} is no longer there: it was dropped meanwhile, or never begun.`);
  }
}

/**
 * The documents that events of a stretch of the log belong to.
 * @param views the views of both generations: changed code may assign an event elsewhere
 * @param stretch `after` is exclusive, `upTo` inclusive
 * @throws what `ownEvents` throws
 */
export async function changedSince(
  stores: Pick<FoldStores, 'eventStore' | 'codec'>,
  views: readonly AnyView[],
  stretch: { readonly after: Position; readonly upTo: Position },
  options: ReadingOptions,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const view of new Set(views))
    for await (const page of ownEvents(stores, view, stretch, options))
      for (const id of page.keys()) changed.add(id);
  return changed;
}

/**
 * Runs `work`, which reads a generation, and checks that the generation was there all the time.
 * @throws {GenerationGone} it was dropped meanwhile, whatever `work` has returned
 */
export async function whileThere<T>(
  { checkpoints }: Pick<ReadStore, 'checkpoints'>,
  generation: Generation,
  work: () => Promise<T>,
): Promise<T> {
  const isBegun = async (): Promise<boolean> => {
    const current = await Promise.all(checkpointNames(generation).map((name) => checkpoints.get(name)));
    return current.some((position) => position !== null);
  };
  const begun = await isBegun();
  const outcome = await work();
  if (begun && !(await isBegun())) throw new GenerationGone(generation.name);
  return outcome;
}

/** Values in arrays of at most `size`. */
export function* chunksOf<T>(values: Iterable<T>, size: number): Generator<readonly T[], void, undefined> {
  let chunk: T[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
