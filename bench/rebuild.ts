import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createCodec, type Codec } from '../src/event-store/codec.js';
import { openEmbeddedLog } from '../src/event-store/embedded/open.js';
import type { EventOf, Stored } from '../src/event-store/event.js';
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  type StreamName,
} from '../src/event-store/port.js';
import { defineEvents } from '../src/event-store/registry.js';
import { startProjector } from '../src/projection-engine/runner.js';
import type { DocumentSealer } from '../src/projection-engine/sealer.js';
import type { View, ViewDocument } from '../src/projection-engine/view.js';
import { openEmbeddedReadStore } from '../src/read-store/embedded/open.js';
import type { GenerationName, GuardedWrite, Json, ReadStore } from '../src/read-store/port.js';
import { Sealer } from '../src/vault/sealing.js';
import { inFolder } from './support/folder.js';
import { compare, type Result } from './support/measure.js';

/**
 * Rebuild of a view: the projector against the same adapters driven by hand (read, decode, fold, bulk write, nothing
 * else: no checkpoints, leases, freezing or checks, and every document kept in memory instead of read back).
 */

type Answered = EventOf<
  'question.answered',
  {
    readonly session: string;
    readonly question: number;
    readonly milliseconds: number;
    readonly text: string;
  }
>;

interface Session extends ViewDocument {
  readonly answers: number;
  readonly slowest: number;
  readonly total: number;
  readonly recent: readonly { readonly question: number; readonly milliseconds: number }[];
  readonly lastAt: string;
}

const sessions: View<Session, Answered> = {
  name: 'sessions',
  version: 1,
  handles: ['question.answered'],
  documentId: ({ data }) => data.session,
  initial: () => ({ answers: 0, slowest: 0, total: 0, recent: [], lastAt: '' }),
  evolve: (session, { data: { question, milliseconds }, metadata }) => ({
    answers: session.answers + 1,
    slowest: Math.max(session.slowest, milliseconds),
    total: session.total + milliseconds,
    recent: [...session.recent, { question, milliseconds }].slice(-10),
    lastAt: metadata.recordedAt,
  }),
  indexes: { bySlowest: ({ slowest }) => [slowest] },
};

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 100_000);
/** A session's events come in batches, of many sessions by turns. */
const BATCH = 10;
const SESSIONS = 2_000;
/** The page of the bare loop is the projector's own. */
const PAGE = 1_000;

const sealer: DocumentSealer = {
  seal: (document) => document as Json,
  open: (body) => body as ViewDocument,
  sealNow: (document) => document as Json,
  openNow: (body) => body as ViewDocument,
};

/** Runs the benchmark. */
export async function run(): Promise<Result> {
  return await inFolder(measure);
}

async function measure(folder: string): Promise<Result> {
  const registry = defineEvents({ 'question.answered': { version: 1 } });
  const noKeys = () => Promise.reject(new Error('No personal data here.'));
  const codec = createCodec(registry, new Sealer({ keys: { get: noKeys, create: noKeys, erase: noKeys } }));
  const log = await openEmbeddedLog(join(folder, 'log'));
  try {
    await fill(log, codec);
    const head = await log.head();
    return await compare({
      name: 'rebuild',
      unit: 'events/s',
      baseline: 'the same adapters: read, decode, fold, bulk write, nothing else',
      bar: 0.7,
      packages: ['lmdb'],
      sides: {
        baseline: () => rate(folder, (store) => bare(log, store, codec)),
        ours: () => rate(folder, (store) => ours(log, store, codec, head)),
      },
    });
  } finally {
    await log.close();
  }
}

async function fill(log: EventStore, codec: Codec): Promise<void> {
  const revisions = new Map<number, number>();
  const appends: Promise<unknown>[] = [];
  for (let n = 0; n < EVENTS / BATCH; n++) {
    const session = n % SESSIONS;
    const expected = revisions.get(session) ?? -1;
    revisions.set(session, expected + BATCH);
    const events = Array.from({ length: BATCH }, (_, index) => answered(session, expected + 1 + index));
    const { encoded } = await codec.encode(events, {
      recordedAt: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
      actor: { type: 'system', id: 'bench' },
      commandId: randomUUID(),
      requestHash: null,
      correlationId: randomUUID(),
      causationId: null,
    });
    const stream = `session-${session}` as StreamName;
    appends.push(log.append(stream, expected === -1 ? 'no-stream' : expected, encoded));
    if (appends.length === 64) await Promise.all(appends.splice(0));
  }
  await Promise.all(appends);
}

const answered = (session: number, question: number): Answered => ({
  type: 'question.answered',
  data: {
    session: `session-${session}`,
    question,
    milliseconds: (question * 7919 + session * 104_729) % 90_000,
    text: 'Moved the parser behind its own interface and added the two failing cases. '.repeat(2),
  },
  person: null,
  personal: null,
});

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

async function ours(
  eventStore: EventStore,
  readStore: ReadStore,
  codec: Codec,
  head: Position,
): Promise<void> {
  const projector = startProjector({
    eventStore,
    readStore,
    codec,
    sealer,
    views: [sessions],
    owner: 'bench',
  });
  while (projector.status()[0]?.position !== head) await new Promise((resolve) => setTimeout(resolve, 2));
  await projector.stop();
}

async function bare(log: EventStore, store: ReadStore, codec: Codec): Promise<void> {
  const collection = store.collection('sessions.v1.g1' as GenerationName, ['bySlowest']);
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
        keys: { bySlowest: [document.slowest] },
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
