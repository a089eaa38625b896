import { START, type Position } from '../../src/core/event-store.js';
import type { FoldGuard } from '../../src/engine/fold/fold-guard.js';
import { describeReplayed, PARKED, PARKED_INDEX } from '../../src/engine/fold/fold.js';
import { Folding, foldTogether } from '../../src/engine/fold/folding.js';
import {
  isCheckpointBehind,
  runPass,
  advanceCheckpoint,
  type SegmentPosition,
} from '../../src/engine/fold/pass.js';
import { segmentName, segmentOf, type Segment } from '../../src/engine/segments.js';
import type { DocumentSealer } from '../../src/engine/view.js';
import type { GenerationName, ReadStore, StoredDocument } from '../../src/stores/read-store.js';
import {
  MemoryDatabase,
  openMemoryReadStore,
  type MemoryReadStoreHooks,
} from '../support/memory-read-store.js';
import { Random } from './random.js';
import { DOCUMENTS, tally, World } from './world.js';

const GENERATION = 'tally.v1.g1' as GenerationName;

/** Weakens the passes' store, to show that the model finds the fault. `gate` is an await of the schedule. */
export type Mutation = (handle: ReadStore, direct: ReadStore, gate: () => Promise<void>) => ReadStore;

export class Violation extends Error {
  override readonly name = 'Violation';
}

interface Gate {
  readonly worker: Worker;
  readonly open: () => void;
  readonly fail: (error: Error) => void;
}

/** Makes an action that a worker repeats on a handle of its own; `gate` is an await of the schedule. */
type Actor = (readStore: ReadStore, gate: () => Promise<void>) => () => Promise<void>;

interface Worker {
  readonly startAgain: () => void;
  alive: boolean;
  /** Not scheduled before this step. */
  pausedUntil: number;
}

/**
 * Runs one random interleaving of the engine's real passes over stores in memory. Several workers feed the same
 * segments, and one repairs documents in place. Each stops at every await until the schedule resumes it. Workers crash,
 * pause, lose their leases and read old states; calls fail before or after they took effect. After each step every
 * promise of a view must hold.
 */
export async function runSchedule(
  seed: number,
  mutate?: Mutation,
): Promise<{ steps: number; passes: number }> {
  const random = new Random(seed);
  const world = new World(random, 6 + random.below(14));
  const database = new MemoryDatabase();
  const direct = openMemoryReadStore(database);
  const gates: Gate[] = [];
  const count = 1 + random.below(2);
  const workers = 2 + random.below(3);
  const highest = new Map<string, Position>();
  let chaos = true;
  let step = 0;
  let passes = 0;
  let checked = 0;
  const alive = new Set<Worker>();
  const rules = {
    strict: false,
    get skipped() {
      return world.skipped;
    },
  };
  /** The state of each document that was checked last. */
  const looked = new Map<string, object>();
  /** The last position of each document at which nothing was left to repair. */
  const sound = new Map<string, Position>();

  /** Starts a worker, which repeats its action until it crashes. */
  function start(actor: Actor): void {
    const worker: Worker = { alive: true, pausedUntil: 0, startAgain: () => start(actor) };
    alive.add(worker);
    const gate = (): Promise<void> =>
      new Promise((open, fail) => {
        if (worker.alive) gates.push({ worker, open, fail });
      });
    const hooks: MemoryReadStoreHooks = {
      before: gate,
      after: gate,
      staleBy: () => (chaos && random.chance(0.25) ? random.below(database.now + 1) : 0),
      refuses: () => chaos && random.chance(0.02),
    };
    const handle = openMemoryReadStore(database, hooks);
    const act = actor(mutate ? mutate(handle, direct, gate) : handle, gate);
    void (async () => {
      while (worker.alive) {
        await act().catch((error: unknown) => {
          if (!(error instanceof Injected)) throw error;
        });
      }
    })().catch((error: unknown) => (crash = error));
  }

  /** A worker that feeds a segment. */
  const feeder =
    (segmentIndex: number): Actor =>
    (readStore, gate) => {
      const segment: Segment = {
        view: tally,
        handled: new Set(tally.handles),
        collection: readStore.collection(GENERATION, PARKED),
        name: segmentName(GENERATION, segmentIndex, count),
        index: segmentIndex,
        count,
        rules,
      };
      const pull = async (after: Position) => {
        await gate();
        return world.pull(after, 1 + random.below(6));
      };
      const dependencies = { feed: { pull }, checkpoints: readStore.checkpoints, sealer, guard: unguarded };
      const interrupted = (): boolean => chaos && random.chance(0.05);
      let current: SegmentPosition | null = null;
      return async () => {
        passes++;
        let carried = current;
        // After any failure, and after a lost lease, the checkpoint is read from the store again.
        current = null;
        if (random.chance(0.1)) carried = null;
        if (carried !== null && isCheckpointBehind(carried) && random.chance(0.3)) {
          carried = await advanceCheckpoint(dependencies, segment, carried);
        }
        const guards = { interrupted, begun: false, carried };
        const result = await runPass(dependencies, segment, guards);
        if (result.kind !== 'advanced' && result.kind !== 'idle') return;
        // The position that this process reports to its readers.
        checkReached(segmentIndex, result.position, 'A worker');
        current = { position: result.position, checkpoint: result.checkpoint };
      };
    };

  /** A worker that replays documents in place; in the end all that are still parked. */
  const repairer: Actor = (readStore, gate) => {
    const collection = readStore.collection(GENERATION, PARKED);
    return async () => {
      const stored = await collection.get(DOCUMENTS[random.below(DOCUMENTS.length)] ?? '');
      if (stored === null || (!chaos && stored.parkedAt === null)) return;
      await gate();
      const own = world
        .ownEvents(stored.id)
        .filter(({ id, position }) => position <= stored.position && !world.skipped.has(id));
      const folding = new Folding(tally, stored.id, null, own);
      await foldTogether(unguarded, [folding]);
      const parkedAt = folding.refusal?.event.position ?? null;
      const { content, listing } = folding;
      await collection.apply([await describeReplayed(sealer, stored, { content, listing, parkedAt })]);
    };
  };

  let crash: unknown = null;

  /** Checks that the documents of the segment have every event up to `position`. */
  function checkReached(index: number, position: Position, who: string): void {
    for (const id of DOCUMENTS.filter((document) => segmentOf(document, count) === index)) {
      const current = database.documents.get(GENERATION)?.get(id)?.at(database.now)?.position ?? START;
      if (current < world.lastOwn(id, position)) {
        throw new Violation(`${who} stands at ${position}, document ${id} behind it at ${current}.`);
      }
    }
  }

  function check(): void {
    for (const id of DOCUMENTS) {
      const row = database.documents.get(GENERATION)?.get(id)?.at(database.now);
      if (!row || row === looked.get(id)) continue;
      looked.set(id, row);
      const { repairs, ...document } = JSON.parse(row.text) as StoredDocument;
      const expected = world.expected(document);
      if (JSON.stringify(document) !== expected) {
        throw new Violation(`Document ${id} is ${row.text}, not ${String(expected)}.`);
      }
      if (document.parkedAt === null) sound.set(id, document.position);
      else if (document.parkedAt <= (sound.get(id) ?? START)) {
        throw new Violation(`Document ${id}, repaired ${repairs ?? 0} times, is parked as it was before.`);
      }
    }
    for (let index = 0; index < count; index++) {
      const name = segmentName(GENERATION, index, count);
      const checkpoint = database.checkpoints.get(name)?.at(database.now) ?? START;
      if (checkpoint < (highest.get(name) ?? START)) throw new Violation(`Checkpoint ${name} moved back.`);
      highest.set(name, checkpoint);
      checkReached(index, checkpoint, `Checkpoint ${name}`);
    }
  }

  async function oneStep(): Promise<void> {
    step++;
    const ready = gates.filter(({ worker }) => worker.pausedUntil <= step);
    const chosen = ready[random.below(ready.length)];
    if (chaos && world.length < world.size && (chosen === undefined || random.chance(0.15))) {
      world.length++;
      return;
    }
    if (chaos && random.chance(0.005)) world.skips = true;
    if (chosen === undefined) return;
    const { worker } = chosen;
    if (chaos && random.chance(0.03)) worker.pausedUntil = step + random.below(60);
    if (chaos && random.chance(0.03)) {
      // A crash: its call never returns, and a new worker replaces it.
      worker.alive = false;
      alive.delete(worker);
      for (const gate of gates.filter((gate) => gate.worker === worker)) gates.splice(gates.indexOf(gate), 1);
      worker.startAgain();
      return;
    }
    gates.splice(gates.indexOf(chosen), 1);
    if (chaos && random.chance(0.04)) chosen.fail(new Injected('The store is away.'));
    else chosen.open();
  }

  async function run(until: () => boolean, most: number): Promise<void> {
    for (let taken = 0; taken < most && !until(); taken++) {
      await oneStep();
      await settled();
      if (crash !== null) throw crash as Error;
      if (database.now !== checked) check();
      checked = database.now;
    }
  }

  const isParked = (id: string): boolean =>
    database.documents.get(GENERATION)?.get(id)?.at(database.now)?.keys[PARKED_INDEX] !== undefined;

  const finished = (): boolean =>
    !DOCUMENTS.some(isParked) &&
    Array.from({ length: count }, (_, index) => segmentName(GENERATION, index, count)).every(
      (name) => Number(database.checkpoints.get(name)?.at(database.now) ?? START) === world.size,
    );

  for (let index = 0; index < Math.max(workers, count); index++) start(feeder(index % count));
  if (random.chance(0.7)) start(repairer);
  await settled();
  await run(() => false, 80 + random.below(100));
  chaos = false;
  world.length = world.size;
  world.skips = true;
  for (let index = 0; index < count; index++) start(feeder(index));
  start(repairer);
  await settled();
  await run(finished, 10_000);
  for (const worker of alive) worker.alive = false;
  if (!finished()) throw new Violation('The view never caught up.');
  return { steps: step, passes };
}

/** Runs everything that does not wait for a gate. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Does all work at once: the passes of the model are short. */
const unguarded: FoldGuard = {
  each: async (items, work) => {
    items.forEach(work);
  },
};

/** A failure that the schedule has injected. */
class Injected extends Error {}

const sealer: DocumentSealer = { seal: (document) => document as never, open: (body) => body as object };
