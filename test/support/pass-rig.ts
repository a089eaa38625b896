import type { Position } from '../../src/core/event-store.js';
import type { FoldGuard } from '../../src/engine/fold/fold-guard.js';
import { PARKED } from '../../src/engine/fold/fold.js';
import {
  isCheckpointBehind,
  runPass,
  advanceCheckpoint,
  type PassGuards,
  type PassResult,
  type SegmentPosition,
} from '../../src/engine/fold/pass.js';
import { SharedEvent } from '../../src/engine/live/ring.js';
import type { Segment } from '../../src/engine/segments.js';
import type { AnyView } from '../../src/engine/view.js';
import type { GenerationName, StoredDocument } from '../../src/stores/read-store.js';
import { MemoryEventStore } from './memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore, type MemoryReadStoreHooks } from './memory-read-store.js';
import { accounts, markingSealer, plainCodec, record, type Recorded } from './projection-rig.js';

export const GENERATION = 'accounts.v1.g1' as GenerationName;
export const CHECKPOINT = `${GENERATION}.1of1`;

export interface PassRigOptions {
  readonly view?: AnyView;
  readonly hooks?: MemoryReadStoreHooks;
  /** Events in one page of the log; by default 100. */
  readonly page?: number;
  readonly database?: MemoryDatabase;
  readonly strict?: boolean;
  readonly guard?: FoldGuard;
}

/**
 * The engine's passes over stores in memory, for the only segment of `accounts` or of another view. A test calls `record`,
 * then `pass` or `all`, and reads `documents`, `total` and `checkpoint`.
 */
export function passRig({
  view = accounts,
  hooks,
  page = 100,
  database = new MemoryDatabase(),
  strict = false,
  guard,
}: PassRigOptions = {}) {
  const skipped = new Set<string>();
  const eventStore = new MemoryEventStore();
  const readStore = openMemoryReadStore(database, hooks);
  const codec = plainCodec();
  const collection = readStore.collection(GENERATION, { ...view.indexes, ...PARKED });
  const pull = async (after: Position) => {
    const events: SharedEvent[] = [];
    for await (const event of eventStore.readAll({ after, limit: page })) {
      events.push(new SharedEvent(event, codec));
    }
    return { events, position: events.at(-1)?.position ?? after, more: events.length === page };
  };
  const segment: Segment = {
    view,
    handled: new Set(view.handles),
    collection,
    name: CHECKPOINT,
    index: 0,
    count: 1,
    rules: { strict, skipped },
  };
  const dependencies = {
    feed: { pull },
    checkpoints: readStore.checkpoints,
    sealer: markingSealer,
    ...(guard && { guard }),
  };
  const fold = (guards?: PassGuards, other: Partial<Segment> = {}): Promise<PassResult> =>
    runPass(dependencies, { ...segment, ...other }, guards);
  const pass = async (guards?: PassGuards, other: Partial<Segment> = {}): Promise<PassResult> => {
    const result = await fold(guards, other);
    if ((result.kind !== 'advanced' && result.kind !== 'failed') || !isCheckpointBehind(result))
      return result;
    const moved = await advanceCheckpoint(dependencies, { ...segment, ...other }, result);
    return moved === null ? { kind: 'again', reason: 'checkpoint moved' } : { ...result, ...moved };
  };
  return {
    readStore,
    collection,
    codec,
    segment,
    advanceCheckpoint: (current: SegmentPosition) => advanceCheckpoint(dependencies, segment, current),
    record: (...events: Recorded[]) => record(eventStore, ...events),
    /** Folds a page, without advancing the checkpoint. @param other replaces fields of the segment */
    fold,
    /** Folds a page, then advances the checkpoint. @param other replaces fields of the segment */
    pass,
    /** Runs passes until nothing is left or a pass does not advance. */
    all: async (): Promise<PassResult> => {
      for (;;) {
        const result = await pass();
        if (result.kind !== 'advanced') return result;
      }
    },
    /** Skips the event at this position from now on, as an operator would. */
    skip: async (position: Position | undefined): Promise<void> => {
      for await (const event of eventStore.readAll({}))
        if (event.position === position) skipped.add(event.id);
    },
    total: async (id: string) => body(await collection.get(id))?.total,
    /** All documents as they are stored. */
    documents: async (): Promise<readonly StoredDocument[]> => {
      const found: StoredDocument[] = [];
      for await (const document of collection.all()) found.push(document);
      return found;
    },
    checkpoint: () => readStore.checkpoints.get(CHECKPOINT),
  };
}

/** The content of an account's document that the marking sealer has sealed. */
export const body = (document: StoredDocument | null) =>
  (document?.body as { sealed?: { total: number; entries: number[] } } | null)?.sealed;
