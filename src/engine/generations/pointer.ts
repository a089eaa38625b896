import type { Position, EventStore } from '../../core/event-store.js';
import type {
  BuildFailure,
  Building,
  Generation,
  GenerationName,
  Pointer,
  ReadStore,
} from '../../stores/read-store.js';
import type { EngineLog } from '../log.js';
import type { AnyView } from '../view.js';
import { type Doubt, generationsOf, mismatchWithLog, newGeneration } from './generations.js';

/**
 * The moves of a view's pointer. Each function returns the record that replaces the one that was read. A
 * compare-and-set on the revision makes a move happen once or not at all, so a process may die between any two moves.
 */

const moved = (pointer: Pointer, change: Partial<Omit<Pointer, 'revision'>>): Pointer => ({
  ...pointer,
  ...change,
  revision: pointer.revision + 1,
});

/** Whether another generation is being built or promoted. */
export const isMoving = ({ next, freeze }: Pointer): boolean => next !== null || freeze !== null;

/** The first generation of a view. */
export const first = (live: Generation): Pointer => ({
  revision: 1,
  live,
  turn: 1,
  operation: null,
  next: null,
  former: null,
  freeze: null,
  declined: null,
});

/** None of the named generations can come from this log: a new one is live at once. */
export const restarted = (pointer: Pointer, live: Generation): Pointer => ({
  ...first(live),
  revision: pointer.revision + 1,
  turn: pointer.turn + 1,
});

/** A generation is built beside the live one. */
export const building = (
  pointer: Pointer,
  generation: Generation,
  { operation, hold }: Pick<Building, 'operation' | 'hold'>,
): Pointer =>
  moved(pointer, {
    next: { generation, operation, hold, ready: false, failure: null },
    freeze: null,
  });

/** Changes the record of the generation that is being built. @returns `null`: another generation is being built now */
export const nextIs = (
  pointer: Pointer,
  name: GenerationName,
  change: Partial<Pick<Building, 'hold' | 'ready'>> & { readonly failure?: BuildFailure | null },
): Pointer | null =>
  pointer.next?.generation.name === name ? moved(pointer, { next: { ...pointer.next, ...change } }) : null;

/** Drops the build. If the build had no operation, the same code does not begin it again. */
export const withoutNext = (pointer: Pointer): Pointer =>
  moved(pointer, {
    next: null,
    freeze: null,
    ...(pointer.next?.operation === null && { declined: pointer.next.generation.fingerprint }),
  });

/** Freezes the view: reads show nothing until the barrier is recorded. */
export const frozen = (pointer: Pointer, to: GenerationName): Pointer =>
  moved(pointer, { freeze: { to, barrier: null } });

/** @param barrier the log's end, read after the freeze was written */
export const barred = (pointer: Pointer, barrier: Position): Pointer =>
  moved(pointer, { freeze: pointer.freeze && { ...pointer.freeze, barrier } });

/** Ends the freeze without a swap. */
export const thawed = (pointer: Pointer): Pointer => moved(pointer, { freeze: null });

/**
 * Makes the generation live for which reads were frozen, and keeps the former one for a rollback.
 * @param since the time of the swap by this process's clock, RFC 3339
 * @returns `null`: the pointer is not frozen for any that it names
 */
export const swapped = (pointer: Pointer, operation: string | null, since: string): Pointer | null => {
  const { live, next, former, freeze, turn } = pointer;
  if (freeze === null) return null;
  const common = { former: { generation: live, since }, next: null, freeze: null, turn: turn + 1, operation };
  if (next?.generation.name === freeze.to)
    return moved(pointer, { ...common, live: next.generation, declined: null });
  // After a rollback the same code must not rebuild without an operation.
  if (former?.generation.name === freeze.to)
    return moved(pointer, { ...common, live: former.generation, declined: live.fingerprint });
  return null;
};

/** Drops the former generation. */
export const withoutFormer = (pointer: Pointer): Pointer =>
  moved(pointer, {
    former: null,
    ...(pointer.freeze?.to === pointer.former?.generation.name && { freeze: null }),
  });

/**
 * Reads a view's pointer, all of whose generations come from this log. If there is none, or a generation cannot come from
 * this log, it points readers to a new, empty generation. They wait until that one has reached the current end of the log,
 * since a list of what is folded so far would look complete. A generation that other code folds stays live.
 * @param segments number of segments of a new generation; an existing one keeps its own
 */
export async function ensurePointer(
  stores: { readonly eventStore: EventStore; readonly readStore: ReadStore; readonly log: EngineLog },
  view: AnyView,
  segments: number,
  doubt: Doubt = {},
): Promise<Pointer> {
  const { pointers } = stores.readStore;
  for (;;) {
    const pointer = await pointers.get(view.name);
    const mismatch = pointer === null ? null : await anyMismatch(stores, pointer, doubt);
    if (pointer !== null && mismatch === null) return pointer;
    const readableFrom = await stores.eventStore.head();
    const generation = { ...(await newGeneration(stores, view, segments)), readableFrom };
    // Logged before the swap: a crash after it would leave no reason why the view is empty.
    if (mismatch !== null) {
      stores.log.warn(
        { view: view.name, dropped: pointer?.live.name, generation: generation.name },
        `The read model "${view.name}" ${mismatch}; it is thrown away and rebuilt from the log.`,
      );
    }
    const next = pointer === null ? first(generation) : restarted(pointer, generation);
    if (await pointers.swap(view.name, pointer?.revision ?? null, next)) return next;
  }
}

async function anyMismatch(
  stores: { readonly eventStore: EventStore; readonly readStore: ReadStore },
  pointer: Pointer,
  doubt: Doubt,
): Promise<string | null> {
  for (const generation of generationsOf(pointer)) {
    const mismatch = await mismatchWithLog(stores, generation, doubt);
    if (mismatch !== null) return mismatch;
  }
  return null;
}
