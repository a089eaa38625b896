/*
 * health/: the state of the views, for operators. It promises an answer in time from what is stored, whichever
 * processes feed the views: a value that is unknown by then is `null`. It changes nothing, and may assume only that the
 * read store answers. Order: pointers and slots are read at once, then checkpoints and leases of each generation
 * (`generation-health`), then how much of the log is beyond them (`backlog`).
 */
import { pause } from '../../core/backoff.js';
import { START, type EventStore, type Position } from '../../core/event-store.js';
import type { Freeze, Generation, Pointer, ReadStore } from '../../stores/read-store.js';
import type { Projector } from '../feeding/runner.js';
import type { OperatorIntent } from '../generations/operations.js';
import { ownersInSlots } from '../ownership/members.js';
import type { AnyView } from '../view.js';
import { backlogOf, type Behind, type EventCount } from './backlog.js';
import {
  generationHealth,
  namedBy,
  storedStateOf,
  type GenerationHealth,
  type SegmentHealth,
  type StoredState,
} from './generation-health.js';

export type { EventCount } from './backlog.js';
export type { GenerationHealth, GenerationRole, SegmentHealth } from './generation-health.js';

/** State of a view, whichever processes feed it. Fields that name no generation are the live one's. */
export interface ViewHealth {
  readonly view: string;
  /** `null`: it was never built. */
  readonly generation: string | null;
  /** The live generation's; `null` without one. */
  readonly version: number | null;
  /** The version that this process's code folds. */
  readonly codeVersion: number;
  /** This code is newer than the live generation (or changed under the same version), and nothing is being built. */
  readonly behindCode: boolean;
  /** An operator has rolled back what this code folds, or dropped its build: it is not rebuilt without an operation. */
  readonly declined: boolean;
  /** An operator has paused its feeding; `null`: no intent was passed, or it was not read in time. */
  readonly paused: boolean | null;
  /** Another generation is being promoted; until then reads show nothing beyond the barrier. `null`: none is. */
  readonly freeze: Freeze | null;
  /** Raised by one with each promotion; 0: the view was never built. */
  readonly turn: number;
  /** Position of its slowest segment; `null`: it was never built. */
  readonly position: Position | null;
  /** `null`: not known, since the event store does not answer; false if it was never built. */
  readonly caughtUp: boolean | null;
  /** Lag of its slowest segment, or of the whole log if it was never built; `null`: not known. */
  readonly lagSeconds: number | null;
  /** Events of any type that its slowest segment has not folded yet; `null`: not known. */
  readonly lagEvents: EventCount | null;
  /** Documents behind an event that could not be folded; counted up to 100. */
  readonly parked: number;
  /** The owners of its segments' leases, each once. */
  readonly owners: readonly string[];
  /** Why a segment that this process feeds is stopped or failing; `null`: none is. */
  readonly reason: string | null;
  /** Why the next event of a segment cannot be read, in a sentence: the log is damaged there. Left out if it can be. */
  readonly damage?: string;
  readonly segments: readonly SegmentHealth[];
  /** Every one that its pointer names, the live one first. */
  readonly generations: readonly GenerationHealth[];
}

export interface ViewHealthOptions {
  /** The projector of this process, for `reason`; left out or `null`: it has none. */
  readonly projector?: Pick<Projector, 'status'> | null;
  /** For `paused`. A promise that rejects, or takes longer than a second, counts as `null`. Default: `null`. */
  readonly intent?: Promise<Pick<OperatorIntent, 'paused'>> | Pick<OperatorIntent, 'paused'> | null;
  /** Former versions of views, which this process folds too. Default: none. */
  readonly formerViews?: readonly AnyView[];
  /**
   * Most events that are counted one by one, in a store whose ordinals count bytes. If there are more, the answer is
   * "at least" so many. Default: 1,000.
   */
  readonly countUpTo?: number;
  /** Milliseconds since 1970. Default: this process's clock. */
  readonly now?: () => number;
}

interface Stores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
}

/** Default of `countUpTo`. */
const COUNT_UP_TO = 1000;
/** The time limit of the event store, in milliseconds: without it everything else is still shown. */
const LOG_TIMEOUT_MS = 1000;

/**
 * Reads everything from the read store at once, and from the event store only the backlog of segments that are behind.
 * Throws what the read store throws; if the event store does not answer, lags are `null`.
 */
export async function viewHealth(
  { eventStore, readStore }: Stores,
  views: readonly AnyView[],
  options: ViewHealthOptions = {},
): Promise<readonly ViewHealth[]> {
  const { countUpTo = COUNT_UP_TO, now = Date.now, formerViews = [] } = options;
  const ended = new AbortController();
  try {
    const over = pause(LOG_TIMEOUT_MS, ended.signal);
    const readHead = inTime(eventStore.head(), over);
    const intended = inTime(Promise.resolve(options.intent ?? null), over);
    const alive = ownersInSlots(readStore.leases);
    const read = views.map(async (view): Promise<StoredView> => {
      const pointer = await readStore.pointers.get(view.name);
      const named = namedBy(pointer, eventStore);
      const stored = named.map((generation) => storedStateOf(readStore, generation, alive));
      return { view, pointer, stored: await Promise.all(stored) };
    });
    const [all] = await Promise.all([Promise.all(read), alive]);
    const head = await readHead;
    const positions = all.flatMap(({ stored }) => [
      ...(stored.length === 0 ? [START] : []),
      ...stored.flatMap(({ segments }) => segments.map(({ position }) => position)),
    ]);
    const backlog =
      head === null ? null : await backlogOf(eventStore, head, positions, { countUpTo, now, over });
    const log: LogState = {
      behind: (position) => backlog?.get(position) ?? null,
      share: (position) => (head === null ? null : shareOf(eventStore, position, head)),
    };
    const { projector = null } = options;
    const reported = { projector, paused: (await intended)?.paused ?? null };
    return all.map((one) => healthOf(one, [...views, ...formerViews], log, reported));
  } finally {
    ended.abort();
  }
}

/** The state of a view in the read store. */
interface StoredView {
  readonly view: AnyView;
  readonly pointer: Pointer | null;
  readonly stored: readonly StoredState[];
}

/** Values from the event store; each is `null` if it has not answered in time. */
interface LogState {
  /** What the log has after a position. */
  readonly behind: (position: Position) => Behind | null;
  /** Which part of the log is up to a position, 0 to 1. */
  readonly share: (position: Position) => number | null;
}

/** What this process's projector reports, and what operators have paused. */
interface Reported {
  readonly projector: Pick<Projector, 'status'> | null;
  readonly paused: ReadonlySet<string> | null;
}

function healthOf(
  { view, pointer, stored }: StoredView,
  views: readonly AnyView[],
  { behind, share }: LogState,
  { projector, paused }: Reported,
): ViewHealth {
  const generations = stored.map((state) => generationHealth(state, views, behind, share));
  const reason = projector?.status().find((status) => status.view === view.name && status.reason)?.reason;
  const common = {
    view: view.name,
    codeVersion: view.version,
    paused: paused?.has(view.name) ?? null,
    reason: reason ?? null,
    generations,
  };
  const [live] = generations;
  if (live === undefined || pointer === null) {
    const lag = behind(START);
    return {
      ...common,
      ...{ generation: null, version: null, behindCode: false, declined: false, freeze: null, turn: 0 },
      ...{ position: null, caughtUp: false, parked: 0, owners: [], segments: [] },
      lagSeconds: lag?.seconds ?? null,
      lagEvents: lag?.events ?? null,
      ...(lag?.damage !== undefined && { damage: lag.damage }),
    };
  }
  const damage = live.segments.find((segment) => segment.damage !== undefined)?.damage;
  const { version, position, caughtUp, lagSeconds, lagEvents, parked, owners, segments } = live;
  return {
    ...common,
    ...{ generation: live.generation, version, position, caughtUp, lagSeconds, lagEvents },
    ...{ parked, owners, segments },
    ...(damage !== undefined && { damage }),
    behindCode: pointer.next === null && isOlder(pointer.live, view),
    declined: pointer.declined === view.fingerprint,
    freeze: pointer.freeze,
    turn: pointer.turn,
  };
}

/** `null`: it has failed, or `over` came first. */
const inTime = <T>(result: Promise<T>, over: Promise<void>): Promise<T | null> =>
  Promise.race([result.catch(() => null), over.then(() => null)]);

const isOlder = ({ version, fingerprint }: Generation, view: AnyView): boolean =>
  version < view.version || (version === view.version && fingerprint !== view.fingerprint);

/** The share of the log before a position, measured by the store's ordinals. An empty log is folded to its end. */
function shareOf(eventStore: Pick<EventStore, 'ordinal'>, position: Position, head: Position): number {
  const end = eventStore.ordinal(head);
  return position >= head || end === 0 ? 1 : Math.min(1, eventStore.ordinal(position) / end);
}
