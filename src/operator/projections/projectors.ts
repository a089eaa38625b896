import { LEASE_TIMINGS } from '../../engine/leases.js';
import { Slots } from '../../engine/slots.js';
import type { ReadStore } from '../../stores/read-store.js';
import { isGone } from '../../process/owner.js';

/**
 * Whether any process feeds views. One of this machine that runs no more is known at once; of any other it shows
 * only after some seconds of looking that it moves no more, and until then it counts as alive.
 */
export class Projectors {
  readonly #slots: Slots;

  /** @param now monotonic milliseconds */
  constructor(leases: ReadStore['leases'], now: () => number = () => performance.now()) {
    this.#slots = new Slots({ leases, owner: 'assay', deadMs: LEASE_TIMINGS.deadMs, isGone, now });
  }

  /** To be asked again and again, less than two seconds apart. */
  async areAlive(): Promise<boolean> {
    await this.#slots.look();
    return this.#slots.members().length > 0;
  }
}
