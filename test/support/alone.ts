import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProjector as projector, type ProjectorOptions } from '../../src/engine/feeding/runner.js';
import { startConductor as conductor } from '../../src/engine/generations/conductor.js';
import { Leases, type LeasesOptions } from '../../src/engine/ownership/leases.js';
import {
  startReactor as reactor,
  type Reactor,
  type ReactorOptions,
} from '../../src/engine/reactors/reactor.js';
import type { Timekeeper } from '../../src/engine/trusted-clock.js';
import type { AnyView } from '../../src/engine/view.js';
import { startAbandonedInterviews as abandonedInterviews } from '../../src/interview/watch/abandoned.js';
import { startMails as mailWorker } from '../../src/reactors/mail/worker.js';
import { startDeliveries as deliveries } from '../../src/reactors/webhooks/worker.js';
import type { ReadStore } from '../../src/stores/read-store.js';

/** The leases of a part of a process that a test starts alone. */
interface AloneOptions {
  /** The owner's name; a random suffix makes it unique. */
  readonly owner?: string;
  readonly leaseTimings?: LeasesOptions['timings'];
  readonly isGone?: LeasesOptions['isGone'];
}

type Needs = { readonly readStore: Pick<ReadStore, 'leases'>; readonly leases: Leases };
type Alone<O extends Needs> = Omit<O, 'leases' | 'timekeeper'> &
  AloneOptions & { readonly timekeeper?: Timekeeper; readonly leases?: Leases };

/** A timekeeper that always trusts this machine's clock. */
export const RIGHT_CLOCK: Timekeeper = { nowIfTrusted: async () => new Date() };

export type ProjectorAlone = Alone<ProjectorOptions>;

/** Makes the leases of a process. Stop them. */
export const leasesOf = (
  { leases }: Pick<ReadStore, 'leases'>,
  { owner = 'test', leaseTimings = {}, isGone }: AloneOptions = {},
): Leases => new Leases({ leases, owner: `${owner}/${randomUUID()}`, timings: leaseTimings, isGone });

const TAKEN_EVERY_MS = 10;

/** Takes over the lease of a living holder. Resolves once `holder` has lost it. @returns releases the lease */
export const takeAway = async (
  store: ReadStore['leases'],
  name: string,
  holder: Leases,
): Promise<() => Promise<void>> => {
  const taking = new AbortController();
  const swap = async (owner: string | null): Promise<void> => {
    const current = await store.get(name);
    await store.swap(name, current, owner === null ? null : { owner, counter: (current?.counter ?? 0) + 1 });
  };
  const taken = (async () => {
    while (!taking.signal.aborted) {
      await swap('another process');
      await sleep(TAKEN_EVERY_MS, undefined, { ref: false });
    }
    await swap(null);
  })();
  while (holder.holds(name)) await sleep(TAKEN_EVERY_MS);
  return () => {
    taking.abort();
    return taken;
  };
};

/** Makes a function that starts a part with leases of its own. `stop` ends the part and then releases the leases. */
const alone =
  <O extends Needs, P extends { stop(): Promise<void> }>(start: (options: O) => P) =>
  (options: Alone<O>): P => {
    const { leases = leasesOf(options.readStore, options) } = options;
    const started = start({ timekeeper: RIGHT_CLOCK, ...options, leases } as unknown as O);
    const stop = async (): Promise<void> => {
      await started.stop();
      await leases.stop();
    };
    return { ...started, stop };
  };

/** Start one part of a process without the others. Stop it. */
export const startProjector = alone(projector);
export const startConductor = alone(conductor);
export const startDeliveries = alone(deliveries);
export const startMails = alone(mailWorker);
export const startAbandonedInterviews = alone(abandonedInterviews);
export const startReactor = <V extends AnyView>(options: Alone<ReactorOptions<V>>): Reactor =>
  alone<ReactorOptions<V>, Reactor>(reactor)(options);
