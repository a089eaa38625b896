import { StoreUnusable } from '../../../core/errors.js';
import type {
  Call,
  ClientOptions,
  Driver,
  DriverClient,
  Observer,
  ProposedEvent,
  RawEvent,
  RawPosition,
  Take,
} from './driver.js';

export type DriverName = 'eventstoredb' | 'kurrentdb';

let loaded: DriverName | null = null;

/**
 * Loads a client when it is first needed: an embedded service never loads one. The two clients define the same protocol
 * messages under the same names, so that one process can hold only one of them.
 * @throws {StoreUnusable} this process already has the other one
 */
export async function loadDriver(name: DriverName): Promise<Driver> {
  if (loaded === null) suppressAddressWarning();
  loaded ??= name;
  if (loaded !== name) {
    throw new StoreUnusable(
      'One process cannot use an esdb:// and a kurrentdb:// URL at once: their clients exclude each other. Give both the same scheme.',
    );
  }
  if (name === 'eventstoredb') {
    // A bundled CommonJS module has no other export.
    const { default: client } = await import('@eventstore/db-client');
    return (options) =>
      driverOf(client.EventStoreDBClient.connectionString(options.connectionString), options, {
        expected: 'expectedRevision',
        follow: (reading, take) => followRead(reading, () => reading.cancel(), take),
      });
  }
  const { default: client } = await import('@kurrent/kurrentdb-client');
  return (options) =>
    driverOf(client.KurrentDBClient.connectionString(options.connectionString), options, {
      expected: 'streamState',
      follow: followIterator,
    });
}

/**
 * Node warns of a TLS server name that is an IP address (DEP0123). The clients set it so for such a host; the
 * certificate is verified all the same, and an operator cannot prevent the warning.
 */
function suppressAddressWarning(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (...given: unknown[]): void => {
    if (!given.includes('DEP0123')) Reflect.apply(emit, process, given);
  };
}

/** The methods of both clients that are used. `Reading` is what their reads return. */
interface NodeClient<Reading> {
  appendToStream(
    stream: string,
    events: ProposedEvent[],
    options: object,
  ): Promise<{ readonly nextExpectedRevision: bigint; readonly position?: RawPosition }>;
  readStream(stream: string, options: object): Reading;
  readAll(options: object): Reading;
  subscribeToAll(options: object): Subscription;
  dispose(): Promise<void>;
}

/** The differences of the clients. */
interface Dialect<Reading> {
  /** The append's option that names the expected revision. */
  readonly expected: string;
  readonly follow: (reading: Reading, take: Take) => Call<void>;
}

function driverOf<Reading>(
  client: NodeClient<Reading>,
  { credentials }: ClientOptions,
  { expected: option, follow }: Dialect<Reading>,
): DriverClient {
  ignoreRepairFailures(client);
  // With every call: KurrentDB's client does not decode a percent-encoded password of the URL.
  const call = { credentials, requiresLeader: true };
  return {
    append: (stream, expected, events, deadline) => ({
      result: client
        .appendToStream(stream, [...events], {
          [option]: expected,
          deadline,
          ...call,
        })
        .then(({ nextExpectedRevision, position }) => ({
          revision: nextExpectedRevision,
          position: position ?? null,
        })),
      cancel: () => undefined,
    }),
    readStream: (stream, { from, direction, count }, take) =>
      follow(
        client.readStream(stream, {
          fromRevision: from,
          direction,
          maxCount: count,
          ...call,
        }),
        take,
      ),
    readAll: ({ from, direction, count }, take) =>
      follow(client.readAll({ fromPosition: from, direction, maxCount: count, ...call }), take),
    subscribe: (from, filter, observer) => {
      const subscription = client.subscribeToAll({
        fromPosition: from,
        ...call,
        filter: {
          ...filter,
          filterOn: 'streamName',
          maxSearchWindow: SEARCH_WINDOW,
          checkpointInterval: 1,
          checkpointReached: mark,
        },
      });
      return followSubscription(subscription, observer);
    },
    version: async () => {
      const features = await (client as Internals).capabilities;
      return features?.serverVersion ?? 'unknown';
    },
    close: async () => {
      await client.dispose();
      const channel = await (client as Internals).getChannel?.();
      channel?.close();
    },
  };
}

/** How many records the server reads before it reports a position to a filtered subscription. */
const SEARCH_WINDOW = 1_000;

/** An event as both clients return it; `event` is missing if a link's target does not exist. */
interface Resolved {
  readonly event?: RawEvent;
}

/** The used part of a client's stream; the clients have no common type for it. */
interface Source {
  on(event: 'data', listener: (chunk: unknown) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): unknown;
}

/** A client's subscription. */
interface Subscription extends Source {
  unsubscribe(): Promise<void>;
}

/** Inserted into the stream at the checkpoint's place: the callback runs before buffered events are read. */
class Checkpoint {
  constructor(readonly position: RawPosition) {}
}

/** Follows a client's stream of events to its end. @param cancel ends the read at the server */
function followRead(stream: Source, cancel: () => Promise<void>, take: Take): Call<void> {
  return follow(stream, cancel, (chunk) => {
    const { event } = chunk as Resolved;
    return event === undefined || take(event);
  });
}

/** As `followRead`, for a subscription with the checkpoints that `mark` has inserted. */
export function followSubscription(stream: Subscription, observer: Observer): Call<void> {
  return follow(
    stream,
    () => stream.unsubscribe(),
    (chunk) => {
      if (chunk instanceof Checkpoint) observer.passed(chunk.position);
      else if ((chunk as Resolved).event) observer.event((chunk as Required<Resolved>).event);
      return true;
    },
  );
}

/** Inserts a checkpoint into a subscription's stream, behind the events that came before it. */
export const mark = (stream: { push(chunk: unknown): unknown }, position: RawPosition): void => {
  stream.push(new Checkpoint(position));
};

function follow(
  stream: Source,
  cancel: () => Promise<void>,
  accept: (chunk: unknown) => boolean,
): Call<void> {
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    // Cancelling fails if the call never began.
    cancel().catch(() => undefined);
    stream.destroy();
  };
  const result = new Promise<void>((resolve, reject) => {
    stream.on('data', (chunk: unknown) => {
      if (over || accept(chunk)) return;
      end();
      resolve();
    });
    stream.on('end', () => {
      over = true;
      resolve();
    });
    stream.on('close', resolve);
    // Never removed: an error without a listener would end the process.
    stream.on('error', reject);
  });
  return { result, cancel: end };
}

/**
 * As `followRead`, for KurrentDB's client. Its reads go through a native part with a connection of its own, which has
 * no deadline and cannot be cancelled: they are bounded by their count.
 */
function followIterator(events: AsyncIterable<{ readonly event?: RawEvent }>, take: Take): Call<void> {
  let over = false;
  const read = async (): Promise<void> => {
    for await (const { event } of events) {
      if (over || (event !== undefined && !take(event))) return;
    }
  };
  return {
    result: read(),
    cancel: () => {
      over = true;
    },
  };
}

/**
 * Undocumented members of both clients: the server's version, the channel, which `dispose` leaves open, and their handler
 * of errors. If a later client lacks them, the version is unknown and the connection closes with the process.
 */
interface Internals {
  readonly capabilities?: Promise<{ readonly serverVersion?: string }>;
  readonly getChannel?: () => Promise<{ close(): void }>;
  handleError?: (...given: readonly unknown[]) => Promise<void>;
}

/**
 * After a failed call the client repairs its connection in a promise that has no listener. If no node of a cluster is
 * found meanwhile, the promise rejects and would end the process. The caller already has the error.
 */
export function ignoreRepairFailures(client: object): void {
  const internals = client as Internals;
  const { handleError } = internals;
  if (handleError) internals.handleError = (...given) => handleError(...given).catch(() => undefined);
}
