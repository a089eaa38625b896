import { KurrentDBClient, STREAM_NAME } from '@kurrent/kurrentdb-client';
import type { Call, ClientOptions, Driver, DriverClient, RawEvent, Take } from './driver.js';
import { calmed, letGo, versionOf } from './internals.js';
import { followSubscription, mark, SEARCH_WINDOW } from './streams.js';

/**
 * `@kurrent/kurrentdb-client`, the successor. Appends and subscriptions are as before; reads go through a native part
 * with a connection of its own, which has no deadline and cannot be cancelled: they are bounded by their count.
 */
export const kurrentDbDriver: Driver = ({ connectionString, credentials }: ClientOptions): DriverClient => {
  const client = calmed(KurrentDBClient.connectionString(connectionString));
  return {
    append: (stream, expected, events, deadline) => ({
      result: client
        .appendToStream(stream, [...events], {
          streamState: expected,
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
      return followIterator(client.readStream(stream, options), take);
    },
    readAll: ({ from, direction, count }, take) => {
      const options = { fromPosition: from, direction, maxCount: count, requiresLeader: true };
      return followIterator(client.readAll(options), take);
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
