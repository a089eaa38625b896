import { pause } from '../core/backoff.js';
import { Unavailable } from '../core/errors.js';
import type { Leases } from '../engine/ownership/leases.js';
import type { EngineLog } from '../engine/log.js';
import { pollUnderLease } from '../engine/reactors/leased-poller.js';
import { HOUR_MS } from '../core/timestamp.js';
import type { SweepPlace, Vault } from '../vault/port.js';

/** From a start on: until then the process catches up and answers those who waited for it. */
const DELAY_MS = 10_000;
/** The time of a sweep that is to be made again. */
const NEVER = 0;
const RETRY_MS = { baseMs: 60_000, capMs: 10 * 60_000 };

/** A sweep: work on everything of a kind that is held, in parts, of which each is small. */
export interface Sweep {
  /** Its place is stored under it, and the lease has it too: it must never change. */
  readonly name: string;
  /** Logged if it failed. */
  readonly warning: string;
  /**
   * Does a part.
   * @param after where the former part ended; `null`: the first one
   */
  part(after: string | null, signal: AbortSignal): Promise<SweptPart>;
}

export interface SweptPart {
  /** Where the part ended; `null`: it was the last one. */
  readonly end: string | null;
  /** The first failure that was passed over, so that it delays nothing else: the whole sweep is made again soon. */
  readonly failure?: unknown;
}

/** Entries of a part of `sweepPart`. */
const PART = 100;

/**
 * A part of a sweep, entry by entry. An entry that fails delays no other one.
 * @param entries from where the part begins
 * @param placeOf where a part ends whose last entry it is
 * @throws {Unavailable} a store is: it would fail for every entry
 */
export const sweepPart = async <T>(
  entries: AsyncIterable<T>,
  placeOf: (entry: T) => string,
  tidy: (entry: T) => Promise<void>,
  signal: AbortSignal,
): Promise<SweptPart> => {
  let failure: unknown;
  let seen = 0;
  for await (const entry of entries) {
    await tidy(entry).catch((error: unknown) => {
      if (error instanceof Unavailable) throw error;
      failure ??= error;
    });
    if (++seen === PART || signal.aborted) return { end: placeOf(entry), failure };
  }
  return { end: null, failure };
};

export interface SweepOptions {
  readonly vault: Pick<Vault, 'sweeps'>;
  /** The process's. */
  readonly leases: Leases;
  readonly log: EngineLog;
  /** From the end of one sweep to the next, in milliseconds; an hour by default. */
  readonly everyMs?: number;
  /** From the start of the process to the first part, in milliseconds. */
  readonly delayMs?: number;
  readonly retry?: { readonly baseMs: number; readonly capMs: number };
  readonly now?: () => number;
}

/**
 * Sweeps again and again, in one process at a time. The place is stored after each part: a process that starts goes on
 * where another one has ended, and does not begin before the next sweep is due.
 */
export const startSweep = (sweep: Sweep, options: SweepOptions): { stop(): Promise<void> } => {
  const { leases, log, delayMs = DELAY_MS } = options;
  const { name, warning } = sweep;
  const lease = `sweep-${name}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const going = (): boolean => !signal.aborted && leases.holds(lease);
  const poll = (): Promise<number> => sweepOnce(sweep, options, going, signal);
  const run = async (): Promise<void> => {
    await pause(delayMs, signal);
    await pollUnderLease({ lease, leases, signal, log, warning, retry: options.retry ?? RETRY_MS, poll });
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await leases.forget(lease);
    },
  };
};

/** @returns in how many milliseconds the next sweep is due */
const sweepOnce = async (
  sweep: Sweep,
  { vault, everyMs = HOUR_MS, now = Date.now }: SweepOptions,
  going: () => boolean,
  signal: AbortSignal,
): Promise<number> => {
  const { sweeps } = vault;
  let place = await sweeps.place(sweep.name);
  if (place !== null && place.after === null) {
    const passed = now() - place.at;
    // A time to come was written by a clock that is wrong now, or was wrong then.
    if (passed >= 0 && passed < everyMs) return everyMs - passed;
  }
  const failures: unknown[] = [];
  do {
    const { end, failure } = await sweep.part(place?.after ?? null, signal);
    if (failure !== undefined) failures.push(failure);
    const next: SweepPlace = { after: end, at: end === null && failures.length > 0 ? NEVER : now() };
    // Otherwise another process has it: it goes on there.
    if (!(await sweeps.move(sweep.name, place, next))) return 0;
    place = next;
  } while (place.after !== null && going());
  if (place.after !== null) return 0;
  if (failures.length > 0) throw failures[0];
  return everyMs;
};

/** Removes what came back of erased persons, from a backup or from a process that was killed. */
export class ErasureSweep implements Sweep {
  readonly name = 'erased';
  readonly warning = 'What came back of erased candidates could not be removed. The service tries again.';

  constructor(private readonly vault: Pick<Vault, 'sweeps'>) {}

  async part(after: string | null): Promise<SweptPart> {
    return { end: await this.vault.sweeps.erased(after) };
  }
}
