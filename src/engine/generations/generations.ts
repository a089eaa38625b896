import { pause } from '../../core/backoff.js';
import { START, type EventStore, type Position } from '../../core/event-store.js';
import type {
  Generation,
  GenerationName,
  Pointer,
  ReadStore,
  ViewCollection,
} from '../../stores/read-store.js';
import { PARKED } from '../fold/fold.js';
import { ownersInSlots } from '../ownership/members.js';
import { segmentName } from '../segments.js';
import type { AnyView } from '../view.js';

interface Stores {
  readonly eventStore: Pick<EventStore, 'life' | 'head' | 'readAll'>;
  readonly readStore: ReadStore;
}

/** The collection of a generation's documents, with the view's indexes. */
export function collectionOf(readStore: ReadStore, view: AnyView, generation: Generation): ViewCollection {
  return readStore.collection(generation.name, { ...view.indexes, ...PARKED });
}

/** The checkpoints' names, by segment. */
export function checkpointNames({ name, segments }: Generation): readonly string[] {
  return Array.from({ length: segments }, (_, segment) => segmentName(name, segment, segments));
}

/** How far each segment has come, as stored. */
export async function positionsOf(
  { checkpoints }: Pick<ReadStore, 'checkpoints'>,
  generation: Generation,
): Promise<readonly Position[]> {
  return Promise.all(checkpointNames(generation).map(async (name) => (await checkpoints.get(name)) ?? START));
}

/** The position of the slowest segment. */
export const lowest = (positions: readonly Position[]): Position =>
  positions.reduce((a, b) => (a < b ? a : b), positions[0] ?? START);

const highest = (positions: readonly Position[]): Position =>
  positions.reduce((a, b) => (a > b ? a : b), START);

/**
 * Whether a living process feeds any of its segments, so that it has the code for them. A dead process counts until a
 * member has noticed.
 */
export async function isFed({ leases }: Pick<ReadStore, 'leases'>, generation: Generation): Promise<boolean> {
  const alive = await ownersInSlots(leases);
  const held = await Promise.all(checkpointNames(generation).map((name) => leases.get(name)));
  return held.some((lease) => lease !== null && alive.has(lease.owner));
}

/** Whether this code folds that generation. */
export const folds = (view: AnyView, { version, fingerprint }: Generation): boolean =>
  version === view.version && fingerprint === view.fingerprint;

/**
 * A new generation, under a name that was never used. Throws what the read store throws.
 * @param segments how many processes can share it
 */
export async function newGeneration(
  { eventStore, readStore }: Stores,
  view: AnyView,
  segments: number,
): Promise<Generation> {
  const number = await readStore.pointers.nextNumber(view.name);
  return {
    name: `${view.name}.v${view.version}.g${number}` as GenerationName,
    number,
    version: view.version,
    log: eventStore.life,
    fingerprint: view.fingerprint,
    segments,
  };
}

/**
 * How long a log's end is read again, in milliseconds, before a view beyond it is rebuilt: a cluster's former leader
 * that was suspended answers for a moment with an old end.
 */
const DOUBT_MS = 8_000;
const POLL_MS = 250;

/** How long to read a log's end again. */
export interface Doubt {
  /** In milliseconds. Default: 8,000. */
  readonly doubtMs?: number | undefined;
  /** Aborting it throws its reason. Without it only `doubtMs` ends the reads. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a generation cannot come from this log, as the end of a sentence; `null`: it can. */
export async function mismatchWithLog(
  { eventStore, readStore }: Stores,
  generation: Generation,
  { doubtMs = DOUBT_MS, signal }: Doubt,
): Promise<string | null> {
  if (generation.log !== eventStore.life)
    return 'was made from another log, or before this one was restored from a backup';
  // Checkpoints first: the head only grows.
  const reached = highest(await positionsOf(readStore, generation));
  const until = performance.now() + doubtMs;
  while (reached > (await eventStore.head())) {
    if (performance.now() >= until) return 'is beyond the end of the log';
    await pause(POLL_MS, signal);
    signal?.throwIfAborted();
  }
  const isOwn = await Promise.all(
    checkpointNames(generation).map((name) => isEventThere({ eventStore, readStore }, name)),
  );
  return isOwn.every((own) => own) ? null : 'has folded events that the log does not hold any more';
}

/**
 * Whether the log has the event of a checkpoint at its position: a log that was put back from a backup and has outgrown
 * the checkpoint has another one there, or none.
 */
const isEventThere = async ({ eventStore, readStore }: Stores, name: string): Promise<boolean> => {
  const position = await readStore.checkpoints.get(name);
  const eventId = await readStore.checkpointEvent(name);
  if (position === null || eventId === null) return true;
  // It has moved between the two reads.
  if ((await readStore.checkpoints.get(name)) !== position) return true;
  // There is no event from there on: the log's end is behind the checkpoint, which `mismatchWithLog` has checked.
  for await (const event of eventStore.readAll({ from: position, limit: 1 }))
    return event.position === position && event.id === eventId;
  return true;
};

/** The generations that a pointer names: no other is fed or kept. */
export const generationsOf = ({ live, next, former }: Pointer): readonly Generation[] => [
  live,
  ...(next === null ? [] : [next.generation]),
  ...(former === null ? [] : [former.generation]),
];

/**
 * How long to wait, in milliseconds, before a generation is removed that a pointer no longer names: a process that has not
 * polled the pointer yet would write to it again.
 */
export const SWEEP_AFTER_MS = 2_000;

/**
 * Removes every generation that its view's pointer does not name. A process that still feeds one finds its checkpoint
 * gone and stops.
 * @returns their names
 */
export async function sweep(readStore: ReadStore): Promise<readonly GenerationName[]> {
  const dropped: GenerationName[] = [];
  // Listed before the pointers are read: a generation is named before it gets documents.
  for (const name of await readStore.generations()) {
    const view = /^(.+)\.v\d+\.g\d+$/.exec(name)?.[1];
    if (view === undefined) continue;
    const pointer = await readStore.pointers.get(view);
    if (pointer !== null && generationsOf(pointer).some((kept) => kept.name === name)) continue;
    await readStore.drop(name);
    dropped.push(name);
  }
  return dropped;
}
