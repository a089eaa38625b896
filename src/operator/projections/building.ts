import { START, type EventStore, type Position } from '../../core/event-store.js';
import { checkpointNames } from '../../engine/generations.js';
import type { Generation, Pointer, ReadStore } from '../../stores/read-store.js';

/** How far what an operation asked for has come, by the view's pointer. */
export interface Stage {
  /** `waiting`: nobody has taken it up yet; `ready`: at the log's end, compared or held; `switching`: about to serve. */
  readonly phase: 'waiting' | 'building' | 'ready' | 'switching';
  readonly pointer: Pointer | null;
  /** The generation that is built for it, or is about to serve. */
  readonly generation: Generation | null;
}

/** @param operation a rebuild's, or a promotion's or rollback's, for which nothing is built */
export const stageOf = (pointer: Pointer | null, operation: string): Stage => {
  const next = pointer?.next ?? null;
  const to = pointer?.freeze?.to ?? null;
  if (pointer !== null && to !== null) {
    const frozen = [next?.generation, pointer.former?.generation].find((one) => one?.name === to);
    return { phase: 'switching', pointer, generation: frozen ?? null };
  }
  if (next === null || next.operation !== operation) return { phase: 'waiting', pointer, generation: null };
  return { phase: next.ready ? 'ready' : 'building', pointer, generation: next.generation };
};

interface Stores {
  readonly eventStore: EventStore;
  readonly readStore: Pick<ReadStore, 'checkpoints'>;
}

/** How much of the log a generation has folded, over its segments alike, in what the store's ordinals count. */
export const foldedBy = async (
  { eventStore, readStore }: Stores,
  generation: Generation,
): Promise<number> => {
  const names = checkpointNames(generation);
  const positions = await Promise.all(names.map((name) => readStore.checkpoints.get(name)));
  const folded = positions.map((position) => amountOf(eventStore, position ?? START));
  return folded.reduce((sum, one) => sum + one, 0) / names.length;
};

/** How much of the log lies up to a position. */
export const amountOf = (eventStore: Pick<EventStore, 'ordinal'>, position: Position): number =>
  position === START ? 0 : eventStore.ordinal(position);
