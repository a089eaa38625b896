import { pause } from '../core/backoff.js';
import { Unavailable } from '../core/errors.js';
import { HOUR_MS } from '../core/timestamp.js';
import type { EngineLog } from '../engine/log.js';
import type { Leases } from '../engine/ownership/leases.js';
import { pollUnderLease } from '../engine/reactors/leased-poller.js';
import type { SweepCursor, Vault } from '../vault/port.js';

/** From the start of a process to its first part, in milliseconds: until then the process catches up and serves. */
const DELAY_MS = 10_000;
/**
 * Stored in place of the time of a part once an entry of the sweep has failed, and kept until the sweep ends, also by a
 * process that takes over. The next sweep is then due at once: this process waits `retry` before, not `everyMs`.
 */
const FAILED = 0;
const RETRY_MS = { baseMs: 60_000, capMs: 10 * 60_000 };

/** Background work on all stored entries of a kind, in small parts. `startSweep` calls `part` repeatedly. */
export interface Sweep {
  /** The name of the stored cursor and the lease: it must never change. */
  readonly name: string;
  /** Logged if the sweep fails. */
  readonly warning: string;
  /**
   * Does a part.
   * @param after the cursor at which the former part ended; `null`: from the beginning
   */
  part(after: string | null, signal: AbortSignal): Promise<SweptPart>;
}

/** The outcome of a part. */
export interface SweptPart {
  /** The cursor at which the part ended; `null`: it was the last part. */
  readonly end: string | null;
  /**
   * The first failure of an entry; `undefined`: none failed. The other entries were swept, and the whole sweep is
   * repeated soon.
   */
  readonly failure?: unknown;
}

/** Most entries in a part. */
const MAX_PART = 100;

/**
 * Sweeps up to `MAX_PART` entries. An entry that fails does not delay the others.
 * @param entries the entries after the cursor
 * @param cursorOf returns the cursor of a part that ends with this entry
 * @throws {Unavailable} a store does not answer: every entry would fail
 */
export const sweepPart = async <T>(
  entries: AsyncIterable<T>,
  cursorOf: (entry: T) => string,
  sweepEntry: (entry: T) => Promise<void>,
  signal: AbortSignal,
): Promise<SweptPart> => {
  let failure: unknown;
  let seen = 0;
  for await (const entry of entries) {
    await sweepEntry(entry).catch((error: unknown) => {
      if (error instanceof Unavailable) throw error;
      failure ??= error;
    });
    if (++seen === MAX_PART || signal.aborted) return { end: cursorOf(entry), failure };
  }
  return { end: null, failure };
};

/** Some 10 MiB of keys. */
const MAX_SKIPPED = 100_000;

/**
 * Keys of entries that later sweeps of this process skip, since their data stays as it is. Only the first are remembered,
 * so that memory does not grow with the data: each sweep decides about the others again.
 */
export class SkippedEntries {
  readonly #keys = new Set<string>();

  constructor(private readonly max = MAX_SKIPPED) {}

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    if (this.#keys.size < this.max) this.#keys.add(key);
  }
}

export interface SweepOptions {
  readonly vault: Pick<Vault, 'sweeps'>;
  /** The leases of this process. */
  readonly leases: Leases;
  readonly log: EngineLog;
  /** From the end of one sweep to the next, in milliseconds; an hour by default. */
  readonly everyMs?: number;
  /** From the start of the process to the first part, in milliseconds; 10 seconds by default. */
  readonly delayMs?: number;
  /** Base and cap of the waits after failed sweeps, in milliseconds; a minute and ten by default. */
  readonly retry?: { readonly baseMs: number; readonly capMs: number };
  /** Milliseconds since 1970. By default the machine's clock. */
  readonly now?: () => number;
}

/**
 * Sweeps at intervals, in one process at a time. The cursor is stored after each part. A process that takes over
 * continues from the cursor, or waits until the next sweep is due.
 */
export const startSweep = (sweep: Sweep, options: SweepOptions): { stop(): Promise<void> } => {
  const { leases, log, delayMs = DELAY_MS } = options;
  const { name, warning } = sweep;
  const lease = `sweep-${name}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  const mayGoOn = (): boolean => !signal.aborted && leases.holds(lease);
  const poll = (): Promise<number> => sweepOnce(sweep, options, mayGoOn, signal);
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

/**
 * Sweeps, if a sweep is due, until it ends or `mayGoOn` is false.
 * @returns milliseconds until the next sweep is due; 0: this one has not ended
 * @throws the first failure of an entry, once the sweep has ended
 */
const sweepOnce = async (
  sweep: Sweep,
  { vault, everyMs = HOUR_MS, now = Date.now }: SweepOptions,
  mayGoOn: () => boolean,
  signal: AbortSignal,
): Promise<number> => {
  const { sweeps } = vault;
  let cursor = await sweeps.cursor(sweep.name);
  if (cursor !== null && cursor.after === null) {
    const passed = now() - cursor.at;
    // If that time is in the future, the clock is or was wrong: sweep now.
    if (passed >= 0 && passed < everyMs) return everyMs - passed;
  }
  let failure: unknown;
  do {
    const part = await sweep.part(cursor?.after ?? null, signal);
    failure ??= part.failure;
    const isContinued = typeof cursor?.after === 'string';
    // The mark of a sweep that has ended does not count for the next one.
    const hasFailed = failure !== undefined || (isContinued && cursor?.at === FAILED);
    const next: SweepCursor = { after: part.end, at: hasFailed ? FAILED : now() };
    // Another process has taken the sweep over: poll again, which waits for the lease.
    if (!(await sweeps.move(sweep.name, cursor, next))) return 0;
    cursor = next;
  } while (cursor.after !== null && mayGoOn());
  if (cursor.after !== null) return 0;
  if (cursor.at !== FAILED) return everyMs;
  failure ??= new Error('Entries failed in a part that another process swept.');
  throw failure;
};

/** Removes data of erased persons that a restored backup has brought back, or a killed process has left. */
export class ErasureSweep implements Sweep {
  readonly name = 'erased';
  readonly warning = 'What came back of erased candidates could not be removed. The service tries again.';

  constructor(private readonly vault: Pick<Vault, 'sweeps'>) {}

  async part(after: string | null, signal: AbortSignal): Promise<SweptPart> {
    return { end: await this.vault.sweeps.erased(after, signal) };
  }
}
