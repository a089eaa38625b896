/*
 * How a build worker yields processor time to the process that answers requests. That process starts the worker, lowers
 * its priority once to `BACKGROUND_PRIORITY`, and sends it a share (`shareBeside`) at intervals. The worker sets the
 * share on its `Throttle` and awaits `wait` between two pieces of work.
 */
import { pause } from '../../core/backoff.js';

/**
 * The `nice` value of the worker. A higher one would let requests wait: the worker holds the stores' write locks while it
 * commits. Measured beside four busy processes for each processor, its longest commit took 10 s at 5, and 2 s at 2.
 */
export const BACKGROUND_PRIORITY = 2;

/** A rest shorter than this is not taken but added to the next, in milliseconds. */
const MIN_REST_MS = 4;
/** The longest rest, in milliseconds. */
const MAX_REST_MS = 1_000;

/** Since its start: how long a process has used a processor, and how long not, in milliseconds. */
interface Time {
  readonly active: number;
  readonly idle: number;
}

/** The time in which the process waits for a processor counts as idle. */
const ofThisProcess = (): Time => {
  const { user, system } = process.cpuUsage();
  const active = (user + system) / 1_000;
  return { active, idle: performance.now() - active };
};

export interface ThrottleOptions {
  /** Default: the time of this process. */
  readonly time?: () => Time;
  /** Waits for a number of milliseconds. Default: a timer that keeps no process alive. */
  readonly rest?: (ms: number) => Promise<void>;
}

/**
 * Lets a process work for a share of the time only. On a machine with few processors a low priority is not enough: a
 * thread that answers requests is slowed by what runs beside it, and waits until the system schedules it again.
 */
export class Throttle {
  readonly #time: () => Time;
  readonly #rest: (ms: number) => Promise<void>;
  #share = 1;
  #measured: Time;
  #owedMs = 0;
  #resting: Promise<void> | null = null;

  constructor({ time = ofThisProcess, rest = pause }: ThrottleOptions = {}) {
    this.#time = time;
    this.#rest = rest;
    this.#measured = time();
  }

  /** The share of the time in which the process may work: above 0, at most 1. At first 1. */
  get share(): number {
    return this.#share;
  }

  /** A value out of range is ignored. */
  set share(share: number) {
    if (share > 0 && share <= 1) this.#share = share;
  }

  /** To be awaited between two pieces of work; resolves at once if no rest is due. All callers rest at the same time. */
  wait(): Promise<void> {
    return this.#resting ?? this.#restIfOwed();
  }

  async #restIfOwed(): Promise<void> {
    const { active, idle } = this.#time();
    const worked = active - this.#measured.active;
    const idled = idle - this.#measured.idle;
    this.#measured = { active, idle };
    const owedMs = this.#owedMs + worked * (1 / this.#share - 1) - idled;
    this.#owedMs = Math.min(MAX_REST_MS, Math.max(0, owedMs));
    if (this.#owedMs < MIN_REST_MS) return;
    this.#resting = this.#rest(this.#owedMs);
    await this.#resting;
    this.#resting = null;
  }
}

/** Utilization of a serving process from which a build worker slows down, and from which it is slowest. */
const SLOW_FROM = 0.25;
const SLOWEST_FROM = 0.6;
/** The share of its time that a build worker works if it is slowest. */
const MIN_SHARE = 0.15;
/**
 * A rebuild that has taken this long is not slowed any more: if the log grew as fast as it folds, it would never end.
 */
const SLOWED_MS = 30 * 60_000;

/**
 * The share of the time that a build worker may use beside a process that answers requests.
 * @param utilization how much of the time that process's event loop is at work, from 0 to 1
 * @param forMs how long the worker has run, in milliseconds: its share grows with it
 */
export const shareBeside = (utilization: number, forMs: number): number => {
  const strain = Math.min(1, Math.max(0, (utilization - SLOW_FROM) / (SLOWEST_FROM - SLOW_FROM)));
  return Math.min(1, Math.max(1 - strain * (1 - MIN_SHARE), forMs / SLOWED_MS));
};
