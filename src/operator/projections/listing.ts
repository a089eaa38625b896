import { views } from '../../../projections/index.js';
import type { Pointer } from '../../stores/read-store.js';
import type { Engine } from '../engine.js';

/** A view in a row. */
export interface Listing {
  readonly view: string;
  /** Of this program's code. */
  readonly version: number;
  /** The generation that serves, the one that is built, the one that served before. */
  readonly live: string | null;
  readonly next: string | null;
  readonly former: string | null;
  readonly state: 'never built' | 'paused' | 'switching' | 'stopped' | 'building' | 'held' | 'serving';
}

/** Every view, by its pointer alone. */
export const listings = async ({ stores, requests }: Engine): Promise<readonly Listing[]> => {
  const { paused } = await requests.state();
  return Promise.all(
    views.map(async ({ name: view, version }) => {
      const pointer = await stores.readStore.pointers.get(view);
      return {
        ...{ view, version },
        live: pointer?.live.name ?? null,
        next: pointer?.next?.generation.name ?? null,
        former: pointer?.former?.generation.name ?? null,
        state: stateOf(pointer, paused.has(view)),
      };
    }),
  );
};

const stateOf = (pointer: Pointer | null, paused: boolean): Listing['state'] => {
  if (pointer === null) return 'never built';
  const { next, freeze } = pointer;
  if (paused) return 'paused';
  if (freeze !== null) return 'switching';
  if (next === null) return 'serving';
  if (next.failure !== null) return 'stopped';
  return next.ready && next.hold ? 'held' : 'building';
};
