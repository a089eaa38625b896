import { START, type EventStore, type Position } from '../event-store/port.js';
import type { Generation, GenerationName, ReadStore, ViewCollection } from '../read-store/port.js';
import { fingerprintOf } from './fingerprint.js';
import { PARKED_INDEX } from './fold.js';
import type { EngineLog } from './log.js';
import { segmentName } from './segments.js';
import type { AnyView } from './view.js';

/** The generation that this process's code feeds, and whether readers are already pointed to it. */
export interface Resolved {
  readonly generation: Generation;
  /** `building`: another generation serves until this one has caught up with it. */
  readonly stage: 'live' | 'building';
}

interface Stores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly log: EngineLog;
}

/** Where the generation that is being built beside the live one is named, so that all processes build the same. */
const nextPointer = (view: string): string => `${view}.next`;

export function collectionOf(readStore: ReadStore, view: AnyView, generation: Generation): ViewCollection {
  return readStore.collection(generation.name, [...Object.keys(view.indexes ?? {}), PARKED_INDEX]);
}

/** The checkpoints' names, by segment. */
export function checkpointNames({ name, segments }: Generation): readonly string[] {
  return Array.from({ length: segments }, (_, segment) => segmentName(name, segment, segments));
}

/**
 * Finds or makes the generation that this code feeds. Without one that fits the log, readers are pointed to a new,
 * empty one at once: plain reads see it grow, reads with a token wait. One folded by other code goes on serving.
 * @param segments of a new generation; an existing one keeps its own number
 */
export async function resolveGeneration(stores: Stores, view: AnyView, segments = 1): Promise<Resolved> {
  const { readStore } = stores;
  for (;;) {
    const live = await readStore.pointers.get(view.name);
    const misfit = live === null ? null : await misfitOf(stores, live);
    if (live === null || misfit !== null) {
      const generation = await newGeneration(stores, view, segments);
      // Said before the swap: afterwards nobody would know why the view is empty.
      if (misfit !== null) {
        stores.log.warn(
          { view: view.name, dropped: live?.name, generation: generation.name },
          `The read model "${view.name}" ${misfit}; it is thrown away and rebuilt from the log.`,
        );
      }
      if (await readStore.pointers.swap(view.name, live?.name ?? null, generation)) {
        return { generation, stage: 'live' };
      }
    } else {
      const resolved = await besideLive(stores, view, live, segments);
      if (resolved !== null) return resolved;
    }
  }
}

/** @returns `null` where another process was faster: look again */
async function besideLive(
  stores: Stores,
  view: AnyView,
  live: Generation,
  segments: number,
): Promise<Resolved | null> {
  const { pointers } = stores.readStore;
  const building = await pointers.get(nextPointer(view.name));
  if (isOurs(view, live)) {
    // What other code began to build is given up: the sweep takes what no pointer names.
    if (building !== null && building.name !== live.name) {
      await pointers.swap(nextPointer(view.name), building.name, live);
    }
    return { generation: live, stage: 'live' };
  }
  if (
    building !== null &&
    building.name !== live.name &&
    isOurs(view, building) &&
    (await misfitOf(stores, building)) === null
  ) {
    return { generation: building, stage: 'building' };
  }
  const generation = await newGeneration(stores, view, segments);
  if (!(await pointers.swap(nextPointer(view.name), building?.name ?? null, generation))) return null;
  stores.log.info(
    { view: view.name, serving: live.name, generation: generation.name },
    `The read model "${view.name}" is rebuilt by changed code; the former one serves until it has caught up.`,
  );
  return { generation, stage: 'building' };
}

/**
 * Points readers to a built generation, if no read can go back in time by it: each of its checkpoints must stand at
 * or beyond every one of the generation that serves.
 * @returns `promoted` (or it already was), `behind`, or `superseded`: it is no longer the one to be built
 */
export async function promote(
  { readStore }: Pick<Stores, 'readStore'>,
  view: AnyView,
  generation: Generation,
): Promise<'promoted' | 'behind' | 'superseded'> {
  const live = await readStore.pointers.get(view.name);
  if (live?.name === generation.name) return 'promoted';
  const building = await readStore.pointers.get(nextPointer(view.name));
  if (building?.name !== generation.name) return 'superseded';
  // The serving ones first: they may move on, and would only look further behind than they are.
  const serving = live === null ? [] : await positionsOf(readStore, live);
  const built = await positionsOf(readStore, generation);
  if (built.some((position) => position < highest(serving))) return 'behind';
  const swapped = await readStore.pointers.swap(view.name, live?.name ?? null, generation);
  return swapped ? 'promoted' : 'behind';
}

/**
 * Drops every generation that is neither pointed to nor being built. One that a process of other code still feeds
 * is dropped too: that process finds its checkpoint gone and stops.
 * @returns their names
 */
export async function sweep(readStore: ReadStore): Promise<readonly GenerationName[]> {
  const dropped: GenerationName[] = [];
  // Listed first: whatever has documents by now was pointed to before it got them.
  for (const name of await readStore.generations()) {
    const view = /^(.+)\.v\d+\.g\d+$/.exec(name)?.[1];
    if (view === undefined) continue;
    const kept = [await readStore.pointers.get(view), await readStore.pointers.get(nextPointer(view))];
    if (kept.some((generation) => generation?.name === name)) continue;
    await readStore.drop(name);
    dropped.push(name);
  }
  return dropped;
}

const isOurs = (view: AnyView, generation: Generation): boolean =>
  generation.version === view.version && generation.fingerprint === fingerprintOf(view);

async function newGeneration({ eventStore, readStore }: Stores, view: AnyView, segments: number) {
  const number = await readStore.pointers.nextNumber(view.name);
  const generation: Generation = {
    name: `${view.name}.v${view.version}.g${number}` as GenerationName,
    number,
    version: view.version,
    log: eventStore.logId,
    fingerprint: fingerprintOf(view),
    segments,
  };
  return generation;
}

/** Why a generation cannot come from this log; `null`: it can. */
async function misfitOf({ eventStore, readStore }: Stores, generation: Generation): Promise<string | null> {
  if (generation.log !== eventStore.logId) return 'was made from another log';
  // Checkpoints first: the head only grows.
  const reached = highest(await positionsOf(readStore, generation));
  return reached > (await eventStore.head()) ? 'stands beyond the end of the log' : null;
}

async function positionsOf(readStore: ReadStore, generation: Generation): Promise<readonly Position[]> {
  const checkpoints = await Promise.all(
    checkpointNames(generation).map((name) => readStore.checkpoints.get(name)),
  );
  return checkpoints.map((checkpoint) => checkpoint?.position ?? START);
}

const highest = (positions: readonly Position[]): Position =>
  positions.reduce((a, b) => (a > b ? a : b), START);
