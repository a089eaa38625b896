import { setTimeout as sleep } from 'node:timers/promises';
import type { ComponentHealth } from '../../process/health.js';
import { isGone } from '../../process/owner.js';
import { LEASE_TIMINGS } from '../../engine/leases.js';
import { slotLeases } from '../../engine/slots.js';
import type { Lease, ReadStore } from '../../stores/read-store.js';

/** A living process moves its counter every `renewMs`; longer than it may pause before it counts as dead. */
const WATCH_MS = LEASE_TIMINGS.deadMs + LEASE_TIMINGS.renewMs;
const LOOK_MS = 200;

/**
 * Whether any process feeds the views: one does whose counter moves while it is watched. That takes about a second; up
 * to 6 s where none moves and none of those that are entered is known to have ended.
 * @throws {ReadStoreUnavailable} it does not answer
 */
export const projectorsHealth = async (
  leases: Pick<ReadStore['leases'], 'get'>,
): Promise<ComponentHealth> => {
  const entered = async (): Promise<readonly Lease[]> =>
    (await slotLeases(leases)).filter(({ owner }) => !isGone(owner));
  const first = await entered();
  const until = performance.now() + WATCH_MS;
  for (let now = first; now.length > 0 && performance.now() < until; now = await entered()) {
    const moves = now.some(
      ({ owner, counter }) => first.find((one) => one.owner === owner)?.counter !== counter,
    );
    if (moves) return { name: 'projectors', ready: true, figures: { entered: now.length } };
    await sleep(LOOK_MS);
  }
  return {
    name: 'projectors',
    ready: false,
    problem: 'No process feeds the views: start the service, or a projector.',
  };
};
