import { START, type EventStore, type Position } from '../event-store/port.js';
import type { Generation, ReadStore } from '../read-store/port.js';
import { pause } from './backoff.js';
import { PARKED_INDEX } from './fold.js';
import { checkpointNames, collectionOf } from './generations.js';
import { progressOf } from './progress.js';
import type { Projector } from './runner.js';
import type { AnyView } from './view.js';

/** How one segment of a view stands, whichever process works on it. */
export interface SegmentHealth {
  /** Counted from 1. */
  readonly segment: number;
  /** Who works on it, by its lease; a dead one is named until it is replaced. `null`: nobody. */
  readonly owner: string | null;
  readonly position: Position;
  /** `null`: not known, since the event store does not answer. */
  readonly caughtUp: boolean | null;
  /** Age of the first event that is not folded yet, by the writer's clock and this one; 0 when caught up. */
  readonly lagSeconds: number | null;
}

/** How a view that serves stands, whichever processes feed it. */
export interface ViewHealth {
  readonly view: string;
  /** `null`: it was never built. */
  readonly generation: string | null;
  /** Of its slowest segment. */
  readonly position: Position | null;
  /** `null`: not known, since the event store does not answer. */
  readonly caughtUp: boolean | null;
  /** Of its slowest segment. */
  readonly lagSeconds: number | null;
  /** Documents behind an event that could not be folded; counted up to 100. */
  readonly parked: number;
  /** Who feeds its segments, each once. */
  readonly owners: readonly string[];
  /** Why a segment worked on in this process is stopped or failing. */
  readonly reason: string | null;
  readonly segments: readonly SegmentHealth[];
}

interface Stores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
}

const MOST_PARKED = 100;
/** How long the event store may take: without it everything else is still worth knowing. */
const LOG_PATIENCE_MS = 1000;

/**
 * Asks the read store for everything at once, and the event store only for what is not at its end.
 * Throws what the read store throws; an event store that is away makes lags unknown.
 * @param projector this process's, if it has one
 */
export async function viewHealth(
  stores: Stores,
  views: readonly AnyView[],
  projector?: Pick<Projector, 'status'>,
  now: () => number = Date.now,
): Promise<readonly ViewHealth[]> {
  const over = new AbortController();
  try {
    const ages = new Ages(stores.eventStore, pause(LOG_PATIENCE_MS, over.signal), now);
    return await Promise.all(views.map((view) => healthOf(stores, view, projector, ages)));
  } finally {
    over.abort();
  }
}

async function healthOf(
  { eventStore, readStore }: Stores,
  view: AnyView,
  projector: Pick<Projector, 'status'> | undefined,
  ages: Ages,
): Promise<ViewHealth> {
  const generation = await readStore.pointers.get(view.name);
  const reason = projector?.status().find((status) => status.view === view.name && status.reason)?.reason;
  const common = { view: view.name, reason: reason ?? null };
  if (generation === null || generation.log !== eventStore.logId) {
    const lagSeconds = await ages.after(START);
    const none = { generation: null, position: null, caughtUp: false, parked: 0, owners: [], segments: [] };
    return { ...common, ...none, lagSeconds };
  }
  const [segments, parked] = await Promise.all([
    segmentsOf(readStore, generation, ages),
    collectionOf(readStore, view, generation).page({ index: PARKED_INDEX, prefix: [], limit: MOST_PARKED }),
  ]);
  const known = segments.every(({ lagSeconds }) => lagSeconds !== null);
  return {
    ...common,
    generation: generation.name,
    position: segments.map(({ position }) => position).reduce((a, b) => (a < b ? a : b)),
    caughtUp: known ? segments.every(({ caughtUp }) => caughtUp) : null,
    lagSeconds: known ? Math.max(...segments.map(({ lagSeconds }) => lagSeconds ?? 0)) : null,
    parked: parked.items.length,
    owners: [...new Set(segments.flatMap(({ owner }) => owner ?? []))],
    segments,
  };
}

function segmentsOf(
  readStore: ReadStore,
  generation: Generation,
  ages: Ages,
): Promise<readonly SegmentHealth[]> {
  return Promise.all(
    checkpointNames(generation).map(async (name, index) => {
      const [checkpoint, lease] = await Promise.all([
        readStore.checkpoints.get(name),
        readStore.leases.get(name),
      ]);
      const stored = checkpoint?.position ?? START;
      const here = progressOf(readStore).of(name) ?? START;
      const position = here > stored ? here : stored;
      const lagSeconds = await ages.after(position);
      const caughtUp = lagSeconds === null ? null : lagSeconds === 0;
      return { segment: index + 1, owner: lease?.owner ?? null, position, caughtUp, lagSeconds };
    }),
  );
}

/** Ages of events in the log, each looked up once. */
class Ages {
  readonly #eventStore: EventStore;
  readonly #over: Promise<void>;
  readonly #now: () => number;
  readonly #head: Promise<Position | null>;
  readonly #known = new Map<Position, Promise<number | null>>();

  constructor(eventStore: EventStore, over: Promise<void>, now: () => number) {
    this.#eventStore = eventStore;
    this.#over = over;
    this.#now = now;
    this.#head = this.#inTime(eventStore.head());
  }

  /** Seconds since the first event after `position` was recorded; 0: there is none; `null`: not known. */
  after(position: Position): Promise<number | null> {
    let age = this.#known.get(position);
    if (age === undefined) this.#known.set(position, (age = this.#inTime(this.#look(position))));
    return age;
  }

  async #look(position: Position): Promise<number | null> {
    const head = await this.#head;
    if (head === null || position >= head) return head === null ? null : 0;
    for await (const { metadata } of this.#eventStore.readAll({ after: position, limit: 1 })) {
      const { recordedAt } = JSON.parse(Buffer.from(metadata).toString()) as { recordedAt?: string };
      const since = Date.parse(recordedAt ?? '') || 0;
      // Never quite 0: something is missing, whatever the clocks say.
      return Math.max(0.001, (this.#now() - since) / 1000);
    }
    return 0;
  }

  #inTime<T>(asked: Promise<T>): Promise<T | null> {
    return Promise.race([asked.catch(() => null), this.#over.then(() => null)]);
  }
}
