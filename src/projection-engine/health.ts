import { START, type EventStore, type Position } from '../event-store/port.js';
import type { ReadStore } from '../read-store/port.js';
import { PARKED_INDEX } from './fold.js';
import { checkpointNames, collectionOf } from './generations.js';
import type { Projector } from './runner.js';
import type { AnyView } from './view.js';

/** How a view that serves stands, whichever process feeds it. */
export interface ViewHealth {
  readonly view: string;
  /** `null`: it was never built. */
  readonly generation: string | null;
  /** Of its slowest segment. */
  readonly position: Position | null;
  readonly caughtUp: boolean;
  /** Age of the first event that is not folded yet, by the writer's clock and this one; 0 when caught up. */
  readonly lagSeconds: number;
  /** Documents behind an event that could not be folded; counted up to 100. */
  readonly parked: number;
  /** Who feeds its segments, by their leases; a dead owner is named until it is replaced. */
  readonly owners: readonly string[];
  /** Why a segment worked on in this process is stopped or failing. */
  readonly reason: string | null;
}

const MOST_PARKED = 100;

/** @param projector this process's, if it has one */
export async function viewHealth(
  stores: { readonly eventStore: EventStore; readonly readStore: ReadStore },
  views: readonly AnyView[],
  projector?: Pick<Projector, 'status'>,
  now: () => number = Date.now,
): Promise<readonly ViewHealth[]> {
  return await Promise.all(views.map((view) => healthOf(stores, view, projector, now)));
}

async function healthOf(
  { eventStore, readStore }: { readonly eventStore: EventStore; readonly readStore: ReadStore },
  view: AnyView,
  projector: Pick<Projector, 'status'> | undefined,
  now: () => number,
): Promise<ViewHealth> {
  const generation = await readStore.pointers.get(view.name);
  const reason = projector?.status().find((status) => status.view === view.name && status.reason)?.reason;
  const common = { view: view.name, reason: reason ?? null };
  if (generation === null || generation.log !== eventStore.logId) {
    const since = await firstAfter(eventStore, START);
    const lagSeconds = lag(since, now());
    return {
      ...common,
      generation: null,
      position: null,
      caughtUp: false,
      lagSeconds,
      parked: 0,
      owners: [],
    };
  }
  const names = checkpointNames(generation);
  const checkpoints = await Promise.all(names.map((name) => readStore.checkpoints.get(name)));
  const positions = checkpoints.map((checkpoint) => checkpoint?.position ?? START);
  const position = positions.reduce((a, b) => (a < b ? a : b));
  const waiting = await firstAfter(eventStore, position);
  const parked = await collectionOf(readStore, view, generation).page({
    index: PARKED_INDEX,
    prefix: [],
    limit: MOST_PARKED,
  });
  const leases = await Promise.all(names.map((name) => readStore.leases.get(name)));
  return {
    ...common,
    generation: generation.name,
    position,
    caughtUp: waiting === null,
    lagSeconds: lag(waiting, now()),
    parked: parked.items.length,
    owners: [...new Set(leases.flatMap((lease) => lease?.owner ?? []))],
  };
}

const lag = (recordedAt: number | null, now: number): number =>
  recordedAt === null ? 0 : Math.max(0, (now - recordedAt) / 1000);

/** When the first event after `position` was recorded; `null`: there is none. */
async function firstAfter(eventStore: EventStore, position: Position): Promise<number | null> {
  for await (const event of eventStore.readAll({ after: position, limit: 1 })) {
    const { recordedAt } = JSON.parse(Buffer.from(event.metadata).toString()) as { recordedAt?: string };
    return Date.parse(recordedAt ?? '') || 0;
  }
  return null;
}
