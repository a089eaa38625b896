import { getPriority, setPriority } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from './errors.js';

/**
 * A value, or a promise of it if it must be waited for: folds of many events would spend most of their time on
 * promises.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Whether the value must be waited for. */
export const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> => value instanceof Promise;

/** Calls `next` with the value: now, or as soon as its promise is fulfilled. */
export const whenThere = <T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> =>
  isPromise(value) ? value.then(next) : next(value);

/** Frees a place of a semaphore; further calls have no effect. */
export type Release = () => void;

/** Admits a fixed number of holders at once. Later calls wait, in order; each may stop waiting. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();

  /** @param free how many are admitted at once */
  constructor(private free: number) {}

  /** Number of waiting calls. */
  get queued(): number {
    return this.#waiting.size;
  }

  /**
   * Takes a place, without a promise if one is free.
   * @param until how long to wait: milliseconds, or until a signal aborts
   * @returns `null`: no place was free in time
   */
  acquire(until: number | AbortSignal): MaybePromise<Release | null> {
    if (typeof until !== 'number' && until.aborted) return null;
    if (this.free > 0) {
      this.free--;
      return this.#place();
    }
    return new Promise((resolve) => {
      const end = (release: Release | null): void => {
        this.#waiting.delete(admit);
        if (typeof until === 'number') clearTimeout(timer);
        else until.removeEventListener('abort', leave);
        resolve(release);
      };
      const admit = (): void => end(this.#place());
      const leave = (): void => end(null);
      const timer = typeof until === 'number' ? setTimeout(leave, until) : undefined;
      if (typeof until !== 'number') until.addEventListener('abort', leave);
      this.#waiting.add(admit);
    });
  }

  #place(): Release {
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      // The next waiting call is admitted at once, so that a new call cannot overtake it.
      const [next] = this.#waiting;
      if (next) next();
      else this.free++;
    };
  }
}

const nothing = (): void => undefined;

/** Longest wait for the tasks before it, in milliseconds: even if each ends in time, all together may take minutes. */
export const MAX_WAIT_MS = 3_000;

/** The error of a task that waited too long and was not started: nothing of it was sent to a store. */
export const notBegun = (): StoreUnavailable =>
  new StoreUnavailable('The command was not begun, since those before it on its record took too long.');

/** Runs tasks of one key one after the other, tasks of different keys side by side. */
export class Serial {
  private readonly tails = new Map<string, Promise<void>>();

  /**
   * The task's own result; a failed task does not stop those behind it.
   * @throws {StoreUnavailable} it has waited for `MAX_WAIT_MS`, and will not be run
   */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key);
    return new Promise((resolve, reject) => {
      let isLate = false;
      const late = (): void => {
        isLate = true;
        reject(notBegun());
      };
      const timer = before && setTimeout(late, MAX_WAIT_MS);
      const turn = async (): Promise<void> => {
        clearTimeout(timer);
        if (!isLate) await task().then(resolve, reject);
      };
      const tail = before ? before.then(turn) : turn();
      this.tails.set(key, tail);
      void tail.then(() => {
        if (this.tails.get(key) === tail) this.tails.delete(key);
      });
    });
  }
}

/**
 * Calls that arrive during a read of the same key share the next read. That one starts after these calls, so no caller
 * gets a state that is older than its call.
 */
export class SharedReads<T> {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #next = new Map<string, Promise<T>>();

  /** @param key the same for reads that may share a result @param read its result may be returned to several callers */
  read(key: string, read: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(key);
    if (before === undefined) return this.#begin(key, read);
    const known = this.#next.get(key);
    if (known) return known;
    const next = before.then(() => {
      this.#next.delete(key);
      return this.#begin(key, read);
    });
    this.#next.set(key, next);
    return next;
  }

  #begin(key: string, read: () => Promise<T>): Promise<T> {
    const answer = read();
    const ended = answer.then(nothing, nothing);
    this.#underWay.set(key, ended);
    // Registered first, so that it runs before the next read begins.
    void ended.then(() => this.#underWay.delete(key));
    return answer;
  }
}

/** A lock within one process: work runs at the same time as other work, or exclusively. */
export class SharedLock {
  /** Settles with the last exclusive work; `null`: there is none. */
  private alone: Promise<unknown> | null = null;
  private readonly running = new Set<Promise<unknown>>();

  /** Runs the work once no exclusive work runs or waits. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.alone !== null) await this.alone;
    const running = work();
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /** Runs the work once all earlier work has ended; later work waits for it. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const before = this.alone;
    const working = (async () => {
      await before;
      await Promise.allSettled(this.running);
      return work();
    })();
    const over: Promise<void> = working.then(
      () => undefined,
      () => undefined,
    );
    this.alone = over;
    // Registered first, so that it runs before any waiting work continues.
    void over.then(() => {
      if (this.alone === over) this.alone = null;
    });
    return working;
  }
}

/** Longest stretch of work on the event loop without a turn for other work. */
const SLICE_MS = 1;

/** Cuts long work on the event loop into slices, so that other requests are answered between them. */
export class Slices {
  #since = performance.now();

  /** To be called between small pieces of work: waits for a turn once the slice is used up. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** The `nice` value of a thread that computes beside requests. It takes no lock that they wait for. */
const BESIDE_REQUESTS = 5;

/** Lowers the priority of the calling thread. Only on Linux does a thread have one of its own; elsewhere nothing happens. */
export const lowerThreadPriority = (): void => {
  if (process.platform === 'linux') lowerPriority(BESIDE_REQUESTS);
};

/**
 * Lowers a priority to a `nice` value, unless it is lower already, as of a service that was started by `nice`: few users
 * may raise it. Nothing happens if the process has ended, or the system does not allow it.
 * @param pid default: the calling process or, on Linux, thread
 */
export const lowerPriority = (nice: number, pid = 0): void => {
  try {
    if (getPriority(pid) < nice) setPriority(pid, nice);
  } catch {
    // The work is done at the priority that it has.
  }
};
