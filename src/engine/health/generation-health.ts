import { START, type EventStore, type Position } from '../../core/event-store.js';
import type {
  BuildFailure,
  Generation,
  GenerationName,
  Pointer,
  ReadStore,
} from '../../stores/read-store.js';
import { PARKED, PARKED_INDEX } from '../fold/fold.js';
import { checkpointNames, folds } from '../generations/generations.js';
import { progressOf } from '../live/progress.js';
import { builderLeaseName } from '../segments.js';
import type { AnyView } from '../view.js';
import type { Behind, EventCount } from './backlog.js';

/** State of one segment of a generation, whichever process works on it. */
export interface SegmentHealth {
  /** Counted from 1. */
  readonly segment: number;
  /** The owner of its lease; a dead one is named until it is replaced. `null`: no process. */
  readonly owner: string | null;
  /** Whether that process is alive by the slots of the projectors. */
  readonly alive: boolean;
  readonly position: Position;
  /** `null`: unknown, since the event store does not answer. The same applies to the next two values. */
  readonly caughtUp: boolean | null;
  /** Age of the first event that is not folded yet, by the writer's clock and this one; 0 when caught up. */
  readonly lagSeconds: number | null;
  /** Events of any type that are not folded yet. */
  readonly lagEvents: EventCount | null;
  /** Why the first of them cannot be read, in a sentence: the log is damaged there. Left out if it can be read. */
  readonly damage?: string;
}

/** Why a pointer names a generation: reads use it (`live`), it is being built (`next`), or it was live before (`former`). */
export type GenerationRole = 'live' | 'next' | 'former';

/**
 * State of one generation that a view's pointer names, whichever processes feed it. `caughtUp`, `lagSeconds` and
 * `lagEvents` are `null` if the event store does not answer.
 */
export interface GenerationHealth {
  readonly role: GenerationRole;
  readonly generation: GenerationName;
  readonly version: number;
  /** Whether the code of this process folds it: the same version and fingerprint. */
  readonly feedable: boolean;
  readonly segments: readonly SegmentHealth[];
  /** Position of its slowest segment; the lags are that segment's too. */
  readonly position: Position;
  readonly caughtUp: boolean | null;
  readonly lagSeconds: number | null;
  readonly lagEvents: EventCount | null;
  /**
   * How much of the log is folded, 0 to 1, as the mean of all segments, in the unit of the store's ordinals: events in
   * the embedded store, bytes of the log in EventStoreDB. `null`: the event store does not answer.
   */
  readonly progress: number | null;
  /** Documents behind an event that could not be folded; counted up to 100. */
  readonly parked: number;
  /** The owners of its segments' leases, each once. */
  readonly owners: readonly string[];
  /** The operation that began its build (`next`) or promoted it (`live`); `null`: none did, or it is the former one. */
  readonly operation: string | null;
  /** `next` alone: it becomes live only if an operator promotes it. */
  readonly hold: boolean;
  /** `next` alone: why the build has stopped; `null`: it has not. */
  readonly failure: BuildFailure | null;
  /** `former` alone: when another generation became live, RFC 3339; `null` for the others. */
  readonly since: string | null;
}

/** A generation and its state in its view's pointer. */
export type Named = Pick<GenerationHealth, 'role' | 'operation' | 'hold' | 'failure' | 'since'> & {
  readonly generation: Generation;
};

/** The state of a generation in the read store. */
export interface StoredState {
  readonly named: Named;
  readonly segments: readonly Pick<SegmentHealth, 'segment' | 'owner' | 'alive' | 'position'>[];
  readonly parked: number;
}

const MAX_PARKED = 100;

/** Those that the pointer names and that come from this log, the live one first; none if that one does not. */
export function namedBy(pointer: Pointer | null, { life }: Pick<EventStore, 'life'>): readonly Named[] {
  if (pointer === null || pointer.live.log !== life) return [];
  const { live, next, former, operation } = pointer;
  const plain = { operation: null, hold: false, failure: null, since: null };
  const all: readonly Named[] = [
    { ...plain, role: 'live', generation: live, operation },
    ...(next === null
      ? []
      : [{ ...plain, role: 'next' as const, generation: next.generation, ...pick(next) }]),
    ...(former === null ? [] : [{ ...plain, role: 'former' as const, ...former }]),
  ];
  return all.filter(({ generation }) => generation.log === life);
}

const pick = ({ operation, hold, failure }: NonNullable<Pointer['next']>) => ({ operation, hold, failure });

/** A segment that only a build worker feeds has the worker's lease alone. */
const ownerOf = async (leases: ReadStore['leases'], name: string): Promise<string | null> =>
  ((await leases.get(name)) ?? (await leases.get(builderLeaseName(name))))?.owner ?? null;

/** Reads a generation's checkpoints, leases and parked documents. @param alive living owners of leases */
export async function storedStateOf(
  readStore: ReadStore,
  named: Named,
  alive: Promise<ReadonlySet<string>>,
): Promise<StoredState> {
  const { generation } = named;
  const parked = readStore
    .collection(generation.name, PARKED)
    .page({ index: PARKED_INDEX, prefix: [], limit: MAX_PARKED });
  const segments = checkpointNames(generation).map(async (name, index) => {
    const [stored, owner, living] = await Promise.all([
      readStore.checkpoints.get(name),
      ownerOf(readStore.leases, name),
      alive,
    ]);
    const here = progressOf(readStore).positionOf(name) ?? START;
    const position = stored !== null && stored > here ? stored : here;
    return { segment: index + 1, owner, alive: owner !== null && living.has(owner), position };
  });
  const [{ items }, all] = await Promise.all([parked, Promise.all(segments)]);
  return { named, segments: all, parked: items.length };
}

/**
 * The state of a generation, from what was read of both stores.
 * @param views the views by which this process folds, former versions too
 * @param behind what the log has after a position; `null`: not known
 * @param share which part of the log is up to a position, 0 to 1; `null`: not known
 */
export function generationHealth(
  { named: { generation, ...pointed }, parked, segments: stored }: StoredState,
  views: readonly AnyView[],
  behind: (position: Position) => Behind | null,
  share: (position: Position) => number | null,
): GenerationHealth {
  const segments = stored.map((segment): SegmentHealth => {
    const lag = behind(segment.position);
    const caughtUp = lag === null ? null : lag.seconds === 0;
    const damage = lag?.damage === undefined ? {} : { damage: lag.damage };
    return {
      ...segment,
      caughtUp,
      lagSeconds: lag?.seconds ?? null,
      lagEvents: lag?.events ?? null,
      ...damage,
    };
  });
  const position = segments.map((segment) => segment.position).reduce((a, b) => (a < b ? a : b));
  const known = segments.every(({ lagSeconds }) => lagSeconds !== null);
  const shares = segments.flatMap((segment) => share(segment.position) ?? []);
  return {
    ...pointed,
    generation: generation.name,
    version: generation.version,
    feedable: views.some((view) => folds(view, generation)),
    segments,
    position,
    caughtUp: known ? segments.every(({ caughtUp }) => caughtUp) : null,
    lagSeconds: known ? Math.max(...segments.map(({ lagSeconds }) => lagSeconds ?? 0)) : null,
    lagEvents: behind(position)?.events ?? null,
    progress:
      shares.length < segments.length ? null : shares.reduce((sum, one) => sum + one, 0) / shares.length,
    parked,
    owners: [...new Set(segments.flatMap(({ owner }) => owner ?? []))],
  };
}
