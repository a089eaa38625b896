import {
  type AllStreamRecordedEvent,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type AppendResult,
  type EventData,
  EventStoreDBClient,
  jsonEvent,
  type Position,
} from '@eventstore/db-client';
import { afterAll, beforeAll } from '@jest/globals';
import {
  type EventStoreServer,
  type EventStoreServerOptions,
  startEventStoreServer,
} from '../../support/eventstoredb/server.js';

/** Credentials of every append: with them the client does not use its batch call. */
export const credentials = { username: 'nobody', password: 'nothing' };

export const event = (type = 'made', data: Record<string, unknown> = {}): EventData =>
  jsonEvent({ type, data });

export const events = (count: number): EventData[] =>
  Array.from({ length: count }, (_, n) => event('made', { n }));

/** An append by the unary call. */
export const append = (
  client: EventStoreDBClient,
  stream: string,
  expectedRevision: AppendExpectedRevision,
  batch: EventData | EventData[],
  deadline = 30_000,
): Promise<AppendResult> => client.appendToStream(stream, batch, { expectedRevision, credentials, deadline });

export const positionOf = ({ position }: AppendResult): Position => {
  if (!position) throw new Error('an append answers its position');
  return position;
};

interface Resolved {
  readonly event?:
    { readonly streamId: string; readonly revision: bigint; readonly type: string } | undefined;
}

/** The stream and revision of each event of a read. */
export const places = async (read: AsyncIterable<Resolved>): Promise<string[]> => {
  const found: string[] = [];
  for await (const { event } of read) found.push(`${event?.streamId}@${event?.revision}`);
  return found;
};

/** Starts a server for the tests of a spec file. `client()` gives each caller a client of its own. */
export const withServer = (
  options: EventStoreServerOptions = {},
): { readonly server: () => EventStoreServer; readonly client: (query?: string) => EventStoreDBClient } => {
  let server: EventStoreServer;
  const clients: EventStoreDBClient[] = [];
  beforeAll(async () => {
    server = await startEventStoreServer(options);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.dispose()));
    await server.stop();
  });
  return {
    server: () => server,
    client: (query = '') => {
      const client = EventStoreDBClient.connectionString(`${server.url}${query}`);
      clients.push(client);
      return client;
    },
  };
};

/** What a subscription delivers, in order. */
interface Heard {
  readonly events: AllStreamRecordedEvent[];
  readonly checkpoints: Position[];
  caughtUp: number;
  error: Error | null;
  readonly subscription: AllStreamSubscription;
}

type SubscribeOptions = NonNullable<Parameters<EventStoreDBClient['subscribeToAll']>[0]>;
type Filter = NonNullable<SubscribeOptions['filter']>;

/** Subscribes and records everything that is delivered. */
export const listen = (
  client: EventStoreDBClient,
  { filter, ...options }: SubscribeOptions & { filter?: Filter } = {},
): Heard => {
  const checkpoints: Position[] = [];
  const checkpointReached = async (_: unknown, position: Position): Promise<void> => {
    checkpoints.push(position);
  };
  const subscription = client.subscribeToAll({
    ...options,
    ...(filter && { filter: { ...filter, checkpointReached } }),
  });
  const heard: Heard = { events: [], checkpoints, caughtUp: 0, error: null, subscription };
  subscription.on('caughtUp', () => heard.caughtUp++);
  subscription.on('error', (error) => (heard.error ??= error));
  subscription.on('data', ({ event }) => {
    if (event) heard.events.push(event);
  });
  return heard;
};

/** Closes a subscription, if it is still open. */
export const close = async ({ subscription }: Heard): Promise<void> => {
  await subscription.unsubscribe();
};

export const rejection = async (promise: Promise<unknown>): Promise<Error> => {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error as Error,
  );
  if (outcome === null) throw new Error('it did not fail');
  return outcome;
};
