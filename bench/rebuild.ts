import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Codec } from '../src/core/codec.js';
import type { EventStore, Position, RecordedEvent } from '../src/core/event-store.js';
import type { Stored } from '../src/core/event.js';
import { openEmbeddedLog } from '../src/stores/lmdb/log/log.js';
import { openEmbeddedReadStore } from '../src/stores/lmdb/views/open.js';
import type { GenerationName, GuardedWrite, Json, ReadStore } from '../src/stores/read-store.js';
import { inFolder } from './support/folder.js';
import { compare, type Result } from './support/measure.js';
import { rebuildSessions } from './support/rebuild-sessions.js';
import {
  type Answered,
  fillWithSessions,
  type Session,
  sessions,
  sessionsCodec,
} from './support/sessions.js';

/**
 * Rebuild of a view: the projector against the same adapters driven by hand (read, decode, fold, bulk write, nothing
 * else: no checkpoints, leases, freezing or checks, and every document kept in memory instead of read back).
 */

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 100_000);
/** The page of the bare loop is the projector's own. */
const PAGE = 1_000;

/** Runs the benchmark. */
export async function run(): Promise<Result> {
  return await inFolder(measure);
}

async function measure(folder: string): Promise<Result> {
  const codec = sessionsCodec();
  const log = await openEmbeddedLog(join(folder, 'log'));
  try {
    await fillWithSessions(log, codec, EVENTS);
    const head = await log.head();
    return await compare({
      name: 'rebuild',
      unit: 'events/s',
      baseline: 'the same adapters: read, decode, fold, bulk write, nothing else',
      bar: 0.7,
      packages: ['lmdb'],
      sides: {
        baseline: () => rate(folder, (store) => bare(log, store, codec)),
        ours: () => rate(folder, (store) => rebuildSessions(log, store, codec, head)),
      },
    });
  } finally {
    await log.close();
  }
}

/** Events a second, into an empty read store. */
async function rate(folder: string, work: (store: ReadStore) => Promise<void>): Promise<number> {
  const own = await mkdtemp(join(folder, 'views-'));
  const store = await openEmbeddedReadStore(own);
  try {
    const start = performance.now();
    await work(store);
    return (EVENTS * 1000) / (performance.now() - start);
  } finally {
    await store.close();
    await rm(own, { recursive: true });
  }
}

async function bare(log: EventStore, store: ReadStore, codec: Codec): Promise<void> {
  const collection = store.collection('sessions.v1.g1' as GenerationName, { bySlowest: ['slowest'] });
  const documents = new Map<string, { document: Session; position: Position | null }>();
  async function write(page: readonly RecordedEvent[]): Promise<void> {
    const touched = new Map<string, { document: Session; from: Position | null; position: Position }>();
    for (const recorded of page) {
      const decoding = codec.decode(recorded);
      const decoded = decoding instanceof Promise ? await decoding : decoding;
      if (decoded.kind !== 'event') throw new Error('The log holds what was not put there.');
      const event = decoded.event as Stored<Answered>;
      const id = event.data.session;
      const known = touched.get(id);
      const from = known ? known.from : (documents.get(id)?.position ?? null);
      const before = known?.document ?? documents.get(id)?.document ?? sessions.initial(id);
      touched.set(id, { document: sessions.evolve(before, event), from, position: event.position });
    }
    const batch: GuardedWrite[] = [];
    for (const [id, { document, from, position }] of touched) {
      documents.set(id, { document, position });
      batch.push({
        expected: from,
        document: { id, position, parkedAt: null, deleted: false, body: document as unknown as Json },
        keys: { slowest: document.slowest },
      });
    }
    await collection.apply(batch);
  }
  let page: RecordedEvent[] = [];
  for await (const event of log.readAll()) {
    page.push(event);
    if (page.length < PAGE) continue;
    await write(page);
    page = [];
  }
  if (page.length > 0) await write(page);
}
