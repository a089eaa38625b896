import { pause } from '../../core/backoff.js';

/**
 * How far a process steps back that works beside one which answers requests, as `nice` has it. Not further: it takes the
 * stores' write locks as well, and on a machine that is busy with much else the last in line would never come to let go
 * of them.
 */
export const BACKGROUND_PRIORITY = 5;

/** Shorter rests are saved up, in milliseconds. */
const MIN_REST_MS = 4;
/** The longest rest, in milliseconds. */
const MAX_REST_MS = 1_000;

/** For how long a process has been on a processor and for how long on none, in milliseconds. */
interface Time {
  readonly active: number;
  readonly idle: number;
}

/** Waiting for a processor is a rest too: a process that had no processor owes no rest. */
const ofThisProcess = (): Time => {
  const { user, system } = process.cpuUsage();
  const active = (user + system) / 1_000;
  return { active, idle: performance.now() - active };
};

export interface PaceOptions {
  readonly time?: () => Time;
  readonly rest?: (ms: number) => Promise<void>;
}

/**
 * Lets a process work for a share of the time only. Where processors are few a low priority leaves too little to others:
 * a thread is slowed by what runs beside it, and waits where that has not noticed yet that it is awake.
 */
export class Pace {
  readonly #time: () => Time;
  readonly #rest: (ms: number) => Promise<void>;
  #share = 1;
  #looked: Time;
  #owedMs = 0;
  #resting: Promise<void> | null = null;

  constructor({ time = ofThisProcess, rest = pause }: PaceOptions = {}) {
    this.#time = time;
    this.#rest = rest;
    this.#looked = time();
  }

  /** Of the time, at most 1. */
  get share(): number {
    return this.#share;
  }

  /** Where it is no share, nothing changes. */
  set share(share: number) {
    if (share > 0 && share <= 1) this.#share = share;
  }

  /** To be awaited between two pieces of work; all that are at work in this process rest together. */
  turn(): Promise<void> {
    return this.#resting ?? this.#earned();
  }

  async #earned(): Promise<void> {
    const { active, idle } = this.#time();
    const worked = active - this.#looked.active;
    const idled = idle - this.#looked.idle;
    this.#looked = { active, idle };
    const owedMs = this.#owedMs + worked * (1 / this.#share - 1) - idled;
    this.#owedMs = Math.min(MAX_REST_MS, Math.max(0, owedMs));
    if (this.#owedMs < MIN_REST_MS) return;
    this.#resting = this.#rest(this.#owedMs);
    await this.#resting;
    this.#resting = null;
  }
}

/** How busy a process that answers requests may be before others hold themselves back, and when they do most. */
const EASY = 0.25;
const BUSY = 0.6;
const MIN_SHARE = 0.15;
/** A rebuild yields for no longer, in milliseconds: beside a log that grows as fast as it folds, it would never end. */
const PATIENCE_MS = 30 * 60_000;

/**
 * The share of the time that is left to work in the background beside a process which answers requests.
 * @param utilization how much of the time that process's event loop is at work, from 0 to 1
 * @param forMs for how long the work has been going on, in milliseconds: the longer, the less it gives way
 */
export const shareBeside = (utilization: number, forMs: number): number => {
  const strain = Math.min(1, Math.max(0, (utilization - EASY) / (BUSY - EASY)));
  return Math.min(1, Math.max(1 - strain * (1 - MIN_SHARE), forMs / PATIENCE_MS));
};
