import { join } from 'node:path';
import type { StreamName } from '../../src/core/event-store.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import { closedLoop } from './closed-loop.js';
import { rebuildSessions } from './rebuild-sessions.js';
import { answered, metadataOf, sessionsCodec } from './sessions.js';

/**
 * Appends events to the embedded log alone, encoded as commands encode them, then rebuilds a view of them.
 * `node log-child.js FOLDER EVENTS WRITERS` prints `{"append": …, "rebuild": …}`, events a second.
 */
const [folder = '', events = '0', writers = '0'] = process.argv.slice(2);
const count = Number(events);
/** Appends to one stream before a writer takes the next, about as long as an aggregate's life. */
const STREAM_LENGTH = 20;

const codec = sessionsCodec();
const log = await openEmbeddedLog(join(folder, 'log'));
const append = await closedLoop(Number(writers), count, async (writer, turn) => {
  const session = writer * count + Math.floor(turn / STREAM_LENGTH);
  const revision = turn % STREAM_LENGTH;
  const { encoded } = await codec.encode([answered(session, revision)], metadataOf(turn));
  const expected = revision === 0 ? 'no-stream' : revision - 1;
  const { kind } = await log.append(`session-${session}` as StreamName, expected, encoded);
  if (kind !== 'appended') throw new Error('The log refused an append to a stream that has no other writer.');
});

const views = await openEmbeddedReadStore(join(folder, 'views'));
const head = await log.head();
const start = performance.now();
await rebuildSessions(log, views, codec, head);
const rebuild = (count * 1_000) / (performance.now() - start);
await views.close();
await log.close();
console.log(JSON.stringify({ append, rebuild }));
