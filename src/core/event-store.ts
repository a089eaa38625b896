import { AppendRefused, AppendTooLarge } from './errors.js';

/**
 * The event store's port: an append-only log of streams with one total order.
 * The contract suite in `test/contracts/event-store.ts` is what an adapter must satisfy; if a sentence
 * here and that suite disagree, the suite is right.
 */

/** A point in the log's total order: opaque, of one width, byte order is log order. `START` precedes every event. */
export type Position = string & { readonly __brand: 'Position' };

/** The position before the first event of any log. */
export const START = '' as Position;

/** The identity of a log (`EventStore.logId`), or of one of its lives (`EventStore.life`). */
export type LogId = string & { readonly __brand: 'LogId' };

/** A stream's name: `<kind>-<id>`, both non-empty, at most 200 characters of `[A-Za-z0-9_-]`. */
export type StreamName = string & { readonly __brand: 'StreamName' };

/** The place of an event in its stream, counted from 0 without a gap. */
export type Revision = number;

/** The state of a stream that a writer has read before it decides: its last revision, or `no-stream`. */
export type Expected = Revision | 'no-stream';

/** An event as bytes. It is encoded once; an append whose outcome is unknown is repeated with the same ids and bytes. */
export interface EncodedEvent {
  /** A fresh UUID for each encoding. It is used only to recognise an append that is sent again. */
  readonly id: string;
  readonly type: string;
  /** JSON, UTF-8. */
  readonly data: Uint8Array;
  /** JSON, UTF-8. */
  readonly metadata: Uint8Array;
}

/** An event with its place in its stream and in the log. */
export interface RecordedEvent extends EncodedEvent {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
}

/** The events are stored. */
export interface Appended {
  readonly kind: 'appended';
  /** Revision of the last event appended; the original one if the same events were sent again. */
  readonly revision: Revision;
  readonly position: Position;
}

/** The stream is not at the expected revision. A value, since every writer must handle it. */
export interface Conflict {
  readonly kind: 'conflict';
  readonly actual: Expected;
}

/**
 * One item of the live feed. `after` is the position of the item before it in the same ordered read: a consumer
 * takes an item only if its own position is at least `after`. Otherwise it has missed an item, and reads pages.
 */
export type FeedItem =
  | {
      readonly kind: 'event';
      readonly after: Position;
      readonly position: Position;
      readonly event: RecordedEvent;
    }
  /** There is no event up to `position`: a checkpoint may move there. */
  | { readonly kind: 'passed'; readonly after: Position; readonly position: Position }
  /** All events that were stored when the subscription began have been delivered. */
  | { readonly kind: 'live' };

/**
 * Largest size of one append in bytes, as EventStoreDB counts it: of every event its data, its metadata and its type
 * in UTF-16 (two bytes for each unit of the string's length).
 */
export const MAX_APPEND_BYTES = 1024 * 1024;

/** One handle on a log, for any number of calls at once. After `close` every call throws {StoreUnavailable}. */
export interface EventStore {
  /** The identity of the log behind this store. */
  readonly logId: LogId;

  /**
   * The identity of the log until it is restored from a backup, then another one: after a restore, new events get
   * positions that other events had before. Checkpoints and consistency tokens carry it.
   */
  readonly life: LogId;

  /**
   * Appends all events or none, durably, if the stream is at exactly `expected`.
   * If the same events (by id) are already there, it returns the first answer; if others are, a conflict.
   * @throws {StoreUnavailable} the outcome is unknown: send the same events again
   * @throws {AppendRefused} the append is wrong in itself: no events, too large, an id twice, a bad stream name, or a
   *   type with `$`
   */
  append(
    stream: StreamName,
    expected: Expected,
    events: readonly EncodedEvent[],
  ): Promise<Appended | Conflict>;

  /**
   * A stream's events at the time of the call, to its end unless limited; none for an unknown stream.
   * @param options `direction`: forward by default; `from`: inclusive, by default the first (forward) or last
   *   (backward) event
   * @throws {StoreUnavailable} during the read: repeat it from behind the last event that came
   * @throws {StreamIncomplete | StoreUnusable} events are missing or damaged: the rest must not be taken for the whole
   */
  readStream(
    stream: StreamName,
    options?: {
      readonly from?: Revision;
      readonly direction?: 'forward' | 'backward';
      readonly limit?: number;
    },
  ): AsyncIterable<RecordedEvent>;

  /**
   * Every event except the store's own, in log order, after `after` (exclusive, default `START`) or from `from`
   * (inclusive); never both. To the log's end at the call unless limited.
   * @throws {StoreUnavailable} during the read: repeat it from behind the last event that came
   * @throws {StoreUnusable} the log is damaged there
   */
  readAll(options?: {
    readonly after?: Position;
    readonly from?: Position;
    readonly limit?: number;
  }): AsyncIterable<RecordedEvent>;

  /**
   * The live feed: all events after `after` (default: `START`), then those that any process appends, in one order. Ends
   * only by `signal`; it reconnects by itself. Sees another process's append within 50 ms.
   */
  subscribeToAll(options: {
    readonly after?: Position;
    readonly signal: AbortSignal;
  }): AsyncIterable<FeedItem>;

  /** The position of the last event, `START` in an empty log. @throws {StoreUnavailable} */
  head(): Promise<Position>;

  /** The size of the log up to a position, in `ordinalUnit`; for metrics and progress only. */
  ordinal(position: Position): number;

  /** `events`: the ordinals of two positions differ by the number of events between them. */
  readonly ordinalUnit: 'events' | 'bytes';

  /**
   * How many live feeds were reopened because they stayed open and delivered nothing; left out if the store cannot
   * detect that.
   */
  readonly silentFeeds?: number;

  /** Closes files and connections, after pending appends have ended. */
  close(): Promise<void>;
}

/** Longest stream name, in characters. */
export const MAX_STREAM_NAME = 200;

const NAME = /^[A-Za-z0-9_]+-[A-Za-z0-9_-]+$/;

/** Whether a text is a stream's name. */
export const isStreamName = (name: string): name is StreamName =>
  name.length <= MAX_STREAM_NAME && NAME.test(name);

/**
 * The name of an aggregate's stream.
 * @param kind what the aggregate is, such as `account`
 * @param id `[A-Za-z0-9_-]+`; anything else is a programming error: ids from outside are checked before
 * @throws {RangeError} if the two make no stream name
 */
export function streamName(kind: string, id: string): StreamName {
  const name = `${kind}-${id}`;
  if (kind === '' || id === '' || !isStreamName(name)) {
    throw new RangeError(`'${name.slice(0, MAX_STREAM_NAME)}' is not a stream name.`);
  }
  return name;
}

/** Longest type and id of an event, in UTF-8 bytes. */
export const MAX_LABEL_BYTES = 255;

/** What `MAX_APPEND_BYTES` bounds: the bytes of an append as EventStoreDB counts them. */
export const appendBytes = (events: readonly EncodedEvent[]): number =>
  events.reduce(
    (sum, { type, data, metadata }) => sum + data.byteLength + metadata.byteLength + 2 * type.length,
    0,
  );

/**
 * The checks that every adapter makes before it touches its store.
 * @throws {AppendRefused} no store would take it, however often it is sent
 */
export function assertAppendable(
  stream: StreamName,
  expected: Expected,
  events: readonly EncodedEvent[],
): void {
  if (typeof stream !== 'string' || !isStreamName(stream)) {
    throw new AppendRefused(
      'A stream is named <kind>-<id>, with at most 200 characters of letters, digits, _ and -.',
    );
  }
  if (expected !== 'no-stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new AppendRefused("An append expects a revision (0 or more) or 'no-stream'.");
  }
  if (events.length === 0) throw new AppendRefused('An append holds at least one event.');
  if (new Set(events.map(({ id }) => id)).size !== events.length) {
    throw new AppendRefused('The events of an append have different ids.');
  }
  for (const { id, type } of events) {
    assertLabel('id', id);
    assertLabel('type', type);
    if (type.startsWith('$')) throw new AppendRefused("Types that begin with $ are the store's own.");
  }
  const size = appendBytes(events);
  if (size > MAX_APPEND_BYTES) {
    throw new AppendTooLarge(`The append has ${size} bytes; the limit is ${MAX_APPEND_BYTES}.`);
  }
}

function assertLabel(what: string, label: string): void {
  if (typeof label !== 'string' || label === '' || Buffer.byteLength(label) > MAX_LABEL_BYTES) {
    throw new AppendRefused(`An event's ${what} is a text of 1 to ${MAX_LABEL_BYTES} bytes.`);
  }
}

export type ReadAllOptions = NonNullable<Parameters<EventStore['readAll']>[0]>;

/** @throws {TypeError} a read of the log has two beginnings */
export function assertOneStart({ after, from }: ReadAllOptions): void {
  if (after !== undefined && from !== undefined)
    throw new TypeError('A read of the log begins after a position or from one, not both.');
}
