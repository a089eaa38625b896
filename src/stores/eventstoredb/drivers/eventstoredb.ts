import { EventStoreDBClient, STREAM_NAME } from '@eventstore/db-client';
import type { ClientOptions, Driver, DriverClient } from './driver.js';
import { calmed, letGo, versionOf } from './internals.js';
import { followRead, followSubscription, mark, SEARCH_WINDOW } from './streams.js';

/** `@eventstore/db-client`, for EventStoreDB itself. */
export const eventStoreDbDriver: Driver = ({
  connectionString,
  credentials,
}: ClientOptions): DriverClient => {
  const client = calmed(EventStoreDBClient.connectionString(connectionString));
  return {
    append: (stream, expected, events, deadline) => ({
      result: client
        .appendToStream(stream, [...events], {
          expectedRevision: expected,
          credentials,
          deadline,
          requiresLeader: true,
        })
        .then(({ nextExpectedRevision, position }) => ({
          revision: nextExpectedRevision,
          position: position ?? null,
        })),
      cancel: () => undefined,
    }),
    readStream: (stream, { from, direction, count }, take) => {
      const options = { fromRevision: from, direction, maxCount: count, requiresLeader: true };
      const reading = client.readStream(stream, options);
      return followRead(reading, () => reading.cancel(), take);
    },
    readAll: ({ from, direction, count }, take) => {
      const reading = client.readAll({
        fromPosition: from,
        direction,
        maxCount: count,
        requiresLeader: true,
      });
      return followRead(reading, () => reading.cancel(), take);
    },
    subscribe: (from, filter, observer) => {
      const subscription = client.subscribeToAll({
        fromPosition: from,
        requiresLeader: true,
        filter: {
          ...filter,
          filterOn: STREAM_NAME,
          maxSearchWindow: SEARCH_WINDOW,
          checkpointInterval: 1,
          checkpointReached: (self, position) => mark(self, position),
        },
      });
      return followSubscription(subscription, () => subscription.unsubscribe(), observer);
    },
    version: () => versionOf(client),
    close: () => letGo(client),
  };
};
