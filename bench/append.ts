import { randomUUID } from 'node:crypto';
import type { EncodedEvent, StreamName } from '../src/core/event-store.js';
import { openEmbeddedLog } from '../src/stores/lmdb/log/log.js';
import { closedLoop } from './support/closed-loop.js';
import { inFolder } from './support/folder.js';
import { compare } from './support/measure.js';
import { conditional, transactional, type PlainLog } from './support/plain-log.js';

/** Appends to one stream before a writer takes the next, about as long as an aggregate's life. */
const STREAM_LENGTH = 20;
const WRITERS: readonly {
  readonly writers: number;
  readonly appends: number;
  readonly bar: number | null;
}[] = [
  { writers: 1, appends: 400, bar: null },
  { writers: 16, appends: 4_000, bar: null },
  { writers: 64, appends: 12_000, bar: 0.6 },
];

const metadata = Buffer.from(
  JSON.stringify({
    schemaVersion: 1,
    recordedAt: '2026-01-01T00:00:00.000Z',
    actor: { type: 'staff', id: randomUUID() },
    commandId: 'c'.repeat(64),
    requestHash: 'd'.repeat(64),
    correlationId: randomUUID(),
    causationId: null,
  }),
);

/** Makes a new event at each call, so that both sides have the cost of making it. */
const event = (): EncodedEvent => ({
  id: randomUUID(),
  type: 'trial.activity_recorded',
  data: Buffer.from(`{"clientEventId":"${randomUUID()}","payload":"${'x'.repeat(250)}"}`),
  metadata,
});

const names = (): ((writer: number, turn: number) => StreamName) => {
  const run = randomUUID();
  return (writer, turn) => `trial-${run}-${writer}-${Math.floor(turn / STREAM_LENGTH)}` as StreamName;
};

/** The same bytes: what an event's record holds, in one value. */
const asBytes = (stream: string, { id, type, data, metadata: meta }: EncodedEvent): Buffer =>
  Buffer.concat([Buffer.from(`${stream}${type}${id}`), data, meta]);

const plain = (open: (folder: string) => PlainLog, writers: number, appends: number) => (): Promise<number> =>
  inFolder(async (folder) => {
    const log = open(folder);
    const stream = names();
    const speed = await closedLoop(writers, appends, async (writer, turn) => {
      const name = stream(writer, turn);
      const stored = await log.append(name, turn % STREAM_LENGTH, asBytes(name, event()));
      if (!stored) throw new Error('The baseline refused an append to a stream that has no other writer.');
    });
    await log.close();
    return speed;
  });

const ours = (writers: number, appends: number) => (): Promise<number> =>
  inFolder(async (folder) => {
    const log = await openEmbeddedLog(folder);
    const stream = names();
    const speed = await closedLoop(writers, appends, async (writer, turn) => {
      const expected = turn % STREAM_LENGTH === 0 ? 'no-stream' : (turn % STREAM_LENGTH) - 1;
      const { kind } = await log.append(stream(writer, turn), expected, [event()]);
      if (kind !== 'appended')
        throw new Error('The log refused an append to a stream that has no other writer.');
    });
    await log.close();
    return speed;
  });

/** Event append, embedded: against plain LMDB with a version check, written either way, equally durable. */
export async function run(): Promise<void> {
  for (const { writers, appends, bar } of WRITERS) {
    for (const [how, open] of Object.entries({ conditional, transactional })) {
      const result = await compare({
        name: `append, embedded, ${writers} writer${writers === 1 ? '' : 's'}, against ${how} writes`,
        unit: 'appends/s',
        baseline: 'plain LMDB with a version check',
        bar,
        sides: { baseline: plain(open, writers, appends), ours: ours(writers, appends) },
        packages: ['lmdb'],
      });
      if (result.passed === false) process.exitCode = 1;
    }
  }
}
