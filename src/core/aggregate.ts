import type { Codec } from './codec.js';
import type { Decider } from './decider.js';
import { StoreUnavailable, StreamIncomplete } from './errors.js';
import type { AnyEvent, Stored } from './event.js';
import {
  type EventStore,
  type Expected,
  type Position,
  type RecordedEvent,
  type Revision,
  START,
  type StreamName,
} from './event-store.js';
import { Slices } from './concurrency.js';

/** A command that has events in the stream: the hash of its request and the revision of its last event. */
interface SeenCommand {
  /** `null`: it can no longer be read, since it lay with the data of an erased person. */
  readonly requestHash: string | null;
  readonly revision: Revision;
}

/** A stream folded up to a revision. Only the code that owns it moves it on; `state` itself is immutable. */
export interface Aggregate<S> {
  state: S;
  revision: Expected;
  /** The last event's, `START` before the first. */
  position: Position;
  /** The last event's chain hash, `null` for streams that are not chained. */
  lastHash: string | null;
  readonly commands: Map<string, SeenCommand>;
}

export type StreamOptions = Parameters<EventStore['readStream']>[1];

/**
 * Reads a stream as the store does, and passes on only what is complete: a store may have let go of a stream's beginning
 * (`$tb`, `$maxCount`, a scavenge), and what is left must not be taken for the whole.
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

/** A request's hash lies in the personal part where there is one, so it goes with that. */
const mayHideHash = ({ person, personal }: Stored): boolean => person !== null && personal === null;

/** What a reader of a stream sees. */
export type Snapshot<S> = Readonly<Pick<Aggregate<S>, 'state' | 'revision' | 'position' | 'lastHash'>>;

/** Folds streams into aggregates. A long stream is read in slices, so that other work of this process has turns between. */
export class AggregateLoader {
  constructor(
    private readonly store: EventStore,
    private readonly codec: Codec,
  ) {}

  /**
   * @param upTo the last revision to fold; to the stream's end unless given
   * @throws {StreamIncomplete} as every reading of a stream here does
   */
  async load<S, E extends AnyEvent>(
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
    await this.foldAll(decider, aggregate, gapless(this.store, stream, limit));
    return aggregate;
  }

  /** Folds what came after the aggregate's revision; false where nothing did. */
  async catchUp<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
  ): Promise<boolean> {
    const from = aggregate.revision === 'no-stream' ? 0 : aggregate.revision + 1;
    const before = aggregate.revision;
    await this.foldAll(decider, aggregate, gapless(this.store, stream, { from }));
    return aggregate.revision !== before;
  }

  /** A stream's events one after the other, as they are asked for. @param options as the store's `readStream` has them */
  async *each<E extends AnyEvent>(
    stream: StreamName,
    options?: StreamOptions,
  ): AsyncGenerator<Stored<E>, void, undefined> {
    const slices = new Slices();
    for await (const recorded of gapless(this.store, stream, options)) {
      yield await this.decode<E>(recorded);
      await slices.next();
    }
  }

  /** Folds events that follow the aggregate's revision. */
  fold<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    aggregate: Aggregate<S>,
    events: readonly Stored<E>[],
  ): void {
    for (const event of events) {
      aggregate.state = decider.evolve(aggregate.state, event);
      aggregate.revision = event.revision;
      aggregate.position = event.position;
      aggregate.lastHash = event.chain?.hash ?? null;
      const { commandId, requestHash } = event.metadata;
      if (requestHash === null && !mayHideHash(event)) continue;
      aggregate.commands.set(commandId, { requestHash, revision: event.revision });
    }
  }

  private async foldAll<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    aggregate: Aggregate<S>,
    recorded: AsyncIterable<RecordedEvent>,
  ): Promise<void> {
    const slices = new Slices();
    for await (const event of recorded) {
      this.fold(decider, aggregate, [await this.decode<E>(event)]);
      await slices.next();
    }
  }

  private async decode<E extends AnyEvent>(recorded: RecordedEvent): Promise<Stored<E>> {
    const decoded = await this.codec.decode(recorded);
    if (decoded.kind === 'event') return decoded.event as Stored<E>;
    throw new StoreUnavailable(
      `The stream ${recorded.stream} holds an event of type ${decoded.type} that a newer version of this program wrote: commands on it wait until this process is upgraded.`,
    );
  }
}
