import type { EventStore } from '../core/event-store.js';
import type { Pointer, ReadStore } from '../stores/read-store.js';
import { generationsOf, misfitOf, newGeneration } from './generations.js';
import type { EngineLog } from './log.js';
import { begunAnew, first } from './pointer.js';
import type { AnyView } from './view.js';

/**
 * A view's pointer, whose generations come from this log. Where there is none, or they cannot, readers are pointed
 * to a new, empty generation at once: plain reads see it grow, reads with a token wait. One that other code folds
 * goes on serving.
 * @param segments of a new generation; an existing one keeps its own number
 */
export async function settledPointer(
  stores: { readonly eventStore: EventStore; readonly readStore: ReadStore; readonly log: EngineLog },
  view: AnyView,
  segments: number,
): Promise<Pointer> {
  const { pointers } = stores.readStore;
  for (;;) {
    const pointer = await pointers.get(view.name);
    const misfit = pointer === null ? null : await anyMisfit(stores, pointer);
    if (pointer !== null && misfit === null) return pointer;
    const generation = await newGeneration(stores, view, segments);
    // Said before the swap: afterwards nobody would know why the view is empty.
    if (misfit !== null) {
      stores.log.warn(
        { view: view.name, dropped: pointer?.live.name, generation: generation.name },
        `The read model "${view.name}" ${misfit}; it is thrown away and rebuilt from the log.`,
      );
    }
    const next = pointer === null ? first(generation) : begunAnew(pointer, generation);
    if (await pointers.swap(view.name, pointer?.revision ?? null, next)) return next;
  }
}

async function anyMisfit(
  stores: { readonly eventStore: EventStore; readonly readStore: ReadStore },
  pointer: Pointer,
): Promise<string | null> {
  for (const generation of generationsOf(pointer)) {
    const misfit = await misfitOf(stores, generation);
    if (misfit !== null) return misfit;
  }
  return null;
}
