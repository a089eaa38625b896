import { metadataText } from '../../src/core/codec-stored.js';
import type { Codec } from '../../src/core/codec.js';
import { type EventStore, type LogId, type RecordedEvent, START } from '../../src/core/event-store.js';
import type { Stored } from '../../src/core/event.js';

/** A log that is only read, of events that a test has at hand, and what decodes it. */
export const recordedLog = (events: readonly Stored[]): { eventStore: EventStore; codec: Codec } => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const recorded = events.map((event): RecordedEvent => {
    const { id, type, stream, revision, position } = event;
    const metadata = Buffer.from(metadataText(event.metadata, { person: null, personal: null, chain: null }));
    return { id, type, stream, revision, position, data: Buffer.of(), metadata };
  });
  const eventStore = {
    life: 'log' as LogId,
    head: async () => recorded.at(-1)?.position ?? START,
    async *readStream(stream, { direction = 'forward', from, limit = Infinity } = {}) {
      const own = recorded.filter((event) => event.stream === stream);
      const forward = direction === 'forward';
      const there = own.filter(
        ({ revision }) => from === undefined || (forward ? revision >= from : revision <= from),
      );
      yield* (forward ? there : there.reverse()).slice(0, limit);
    },
  } as Pick<EventStore, 'life' | 'head' | 'readStream'> as EventStore;
  const codec = {
    decode: ({ id }) => ({ kind: 'event', event: byId.get(id)! }),
    latestTypes: (type) => [type],
  } as Pick<Codec, 'decode' | 'latestTypes'> as Codec;
  return { eventStore, codec };
};
