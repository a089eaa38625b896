import { LRUCache } from 'lru-cache';
import type { Codec } from './codec.js';
import { Slices } from './concurrency.js';
import type { Decider } from './decider.js';
import { StoreUnavailable, StreamIncomplete } from './errors.js';
import {
  type EventStore,
  type Expected,
  type Position,
  type RecordedEvent,
  type Revision,
  START,
  type StreamName,
  streamName,
} from './event-store.js';
import type { AnyEvent, Stored } from './event.js';
import { memoryOf } from './json.js';

/** A command that has events in the stream: the hash of its request and the revision of its last event. */
interface SeenCommand {
  /** `null`: it can no longer be read, since it was sealed with the data of an erased person. */
  readonly requestHash: string | null;
  readonly revision: Revision;
}

/** A stream folded up to a revision. Only the code that owns it folds further events; `state` itself is immutable. */
export interface Aggregate<S> {
  state: S;
  revision: Expected;
  /** The last event's, `START` before the first. */
  position: Position;
  /** The last event's chain hash; `null`: the stream is not chained, or has no event yet. */
  lastHash: string | null;
  /** By command id. A command without a `requestHash` is never sent again, and need not be among them. */
  readonly commands: Map<string, SeenCommand>;
}

/** The options of the store's `readStream`: which part of a stream is read. */
export type StreamOptions = Parameters<EventStore['readStream']>[1];

/**
 * Reads a stream from the store and checks that no event is missing: a store may have deleted a stream's beginning
 * (`$tb`, `$maxCount`, a scavenge), and the rest must not be taken for the whole stream.
 * @throws {StreamIncomplete} before the first event that does not follow
 */
export async function* gapless(
  store: Pick<EventStore, 'readStream'>,
  stream: StreamName,
  options: StreamOptions = {},
): AsyncGenerator<RecordedEvent, void, undefined> {
  const { from, direction = 'forward', limit = Infinity } = options;
  let next: Revision | null = from ?? (direction === 'forward' ? 0 : null);
  let read = 0;
  for await (const event of store.readStream(stream, options)) {
    // From beyond its end a stream is read backward from its end.
    const isFirst = read++ === 0 && direction === 'backward';
    if (!isFirst && event.revision !== next) throw new StreamIncomplete(stream, event.revision);
    next = event.revision + (direction === 'forward' ? 1 : -1);
    yield event;
  }
  if (direction === 'backward' && read > 0 && read < limit && next !== -1)
    throw new StreamIncomplete(stream, (next ?? 0) + 1);
}

/** A stream's state as a reader gets it. */
export type Snapshot<S> = Readonly<Pick<Aggregate<S>, 'state' | 'revision' | 'position' | 'lastHash'>>;

/** Most streams whose aggregates are cached. */
const CACHED_STREAMS = 2_000;
/** Most bytes that cached states take. */
const CACHED_BYTES = 32 * 1024 * 1024;
/** Smallest size that is counted for a cached state, in bytes. */
const MIN_STATE_BYTES = 1_024;
/** Bytes of a command that has events: its id and the hash of its request. */
const COMMAND_BYTES = 250;

/**
 * Options of caches whose entries may be personal: an entry expires 5 minutes after its last use. `updateAgeOnGet` and
 * the coarse `ttlResolution` save a timer for each use.
 */
export const EXPIRE_WHEN_UNUSED = {
  ttl: 5 * 60_000,
  updateAgeOnGet: true,
  ttlAutopurge: true,
  ttlResolution: 1_000,
} as const;

/**
 * Reads streams and folds them into aggregates; the most recently used ones are cached. A long stream is read in
 * slices, so that the process answers other requests in between.
 */
export class Aggregates {
  private readonly cache = new LRUCache<StreamName, Aggregate<unknown>>({
    max: CACHED_STREAMS,
    maxSize: CACHED_BYTES,
    ...EXPIRE_WHEN_UNUSED,
  });

  constructor(
    protected readonly store: EventStore,
    protected readonly codec: Codec,
  ) {}

  /**
   * The state of the decider's stream of that id at its end, read from the store, for a decision that depends on
   * another stream. Not queued: two commands that read each other's stream would deadlock.
   * @throws {StreamIncomplete | StoreUnavailable}
   */
  async read<S, E extends AnyEvent>(decider: Decider<S, E>, id: string): Promise<Snapshot<S>> {
    const stream = streamName(decider.kind, id);
    // A read does not keep an entry alive: another process may have erased the person whose data it holds.
    const cached = this.cache.get(stream, { updateAgeOnGet: false }) as Aggregate<S> | undefined;
    if (cached) {
      // A copy: the cached one belongs to the command whose turn it is.
      const copy: Aggregate<S> = { ...cached, commands: new Map() };
      await this.catchUp(decider, stream, copy);
      return copy;
    }
    const loaded = await this.load(decider, stream);
    if (!this.cache.has(stream)) this.keep(stream, loaded);
    return { ...loaded };
  }

  /**
   * The events of the decider's stream of that id, read from the store page by page as the caller iterates: only one
   * page is in memory.
   * @param options those of the store's `readStream`
   */
  each<S, E extends AnyEvent>(
    { kind }: Decider<S, E>,
    id: string,
    options?: StreamOptions,
  ): AsyncGenerator<Stored<E>, void, undefined> {
    return this.eventsIn(streamName(kind, id), options);
  }

  /** The decoded events of a stream. @throws {StreamIncomplete | StoreUnavailable} */
  private async *eventsIn<E extends AnyEvent>(
    stream: StreamName,
    options?: StreamOptions,
  ): AsyncGenerator<Stored<E>, void, undefined> {
    const slices = new Slices();
    for await (const recorded of gapless(this.store, stream, options)) {
      const decoded = await this.codec.decode(recorded);
      if (decoded.kind !== 'event')
        throw new StoreUnavailable(
          `The stream ${recorded.stream} holds an event of type ${decoded.type} that a newer version of this program wrote: commands on it wait until this process is upgraded.`,
        );
      yield decoded.event as Stored<E>;
      await slices.next();
    }
  }

  /** All of a stream's events in order, in memory: for streams that stay short. */
  async events<S, E extends AnyEvent>(decider: Decider<S, E>, id: string): Promise<readonly Stored<E>[]> {
    const events: Stored<E>[] = [];
    for await (const event of this.each(decider, id)) events.push(event);
    return events;
  }

  /**
   * Whether the stream holds events of that command, as read from the store now. For a command without a `requestHash`
   * it may be false all the same.
   */
  async hasCommand<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    id: string,
    commandId: string,
  ): Promise<boolean> {
    return (await this.load(decider, streamName(decider.kind, id))).commands.has(commandId);
  }

  /** The stream's cached aggregate: another process may have appended since. `undefined`: none is cached. */
  protected kept<S>(stream: StreamName): Aggregate<S> | undefined {
    return this.cache.get(stream) as Aggregate<S> | undefined;
  }

  /** Caches an aggregate in place of a former one. */
  protected keep(stream: StreamName, aggregate: Aggregate<unknown>): void {
    const { state, commands } = aggregate;
    const size = MIN_STATE_BYTES + COMMAND_BYTES * commands.size + memoryOf(state);
    this.cache.set(stream, aggregate, { size });
  }

  /** Drops a cached aggregate, as after a conflict. */
  protected forget(stream: StreamName): void {
    this.cache.delete(stream);
  }

  /** Reads a stream from its beginning and folds it. @param upTo the last revision to fold. Default: the stream's last */
  protected async load<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    upTo?: Revision,
  ): Promise<Aggregate<S>> {
    const aggregate: Aggregate<S> = {
      state: decider.initial,
      revision: 'no-stream',
      position: START,
      lastHash: null,
      commands: new Map(),
    };
    const limit = upTo === undefined ? {} : { limit: upTo + 1 };
    for await (const event of this.eventsIn<E>(stream, limit)) fold(decider, aggregate, event);
    return aggregate;
  }

  /** Folds what came after the aggregate's revision. @returns whether anything did */
  protected async catchUp<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
  ): Promise<boolean> {
    const before = aggregate.revision;
    for await (const event of this.eventsIn<E>(stream, { from: revisionAfter(before) }))
      fold(decider, aggregate, event);
    return aggregate.revision !== before;
  }
}

/** The revision of the event that comes next. */
export const revisionAfter = (revision: Expected): Revision => (revision === 'no-stream' ? 0 : revision + 1);

/** Folds the event that follows the aggregate's revision into the aggregate, which it changes. */
export const fold = <S, E extends AnyEvent>(
  decider: Decider<S, E>,
  aggregate: Aggregate<S>,
  event: Stored<E>,
): void => {
  aggregate.state = decider.evolve(aggregate.state, event);
  aggregate.revision = event.revision;
  aggregate.position = event.position;
  aggregate.lastHash = event.chain?.hash ?? null;
  const { commandId, requestHash } = event.metadata;
  // A request's hash is in the personal part if there is one, and is erased with it.
  const mayBeHidden = event.person !== null && event.personal === null;
  if (requestHash === null && !mayBeHidden) return;
  aggregate.commands.set(commandId, { requestHash, revision: event.revision });
};
