import { closeSync, fchmodSync, type FSWatcher, futimesSync, openSync, watch } from 'node:fs';
import { join } from 'node:path';
import { everyTick, IDLE_POLL_MS } from '../../../core/shared-interval.js';
import { PRIVATE_FILE } from '../folder.js';
import type { Sequence } from './record.js';

/**
 * An empty file beside the log. Each process sets its time after it has appended; the others watch the file and need not
 * poll the log often. A notice is missing if a process was killed before it gave it: correctness must not depend on one.
 */
export class AppendNotice {
  readonly #path: string;
  /** `null`: it could not be made, so that no notice is given. */
  #file: number | null;
  #watcher: FSWatcher | null = null;

  constructor(folder: string, readOnly: boolean) {
    this.#path = join(folder, 'appended');
    this.#file = readOnly ? null : opened(this.#path);
  }

  /** Notifies all processes that watch: there are new events. Never throws. */
  give(): void {
    if (this.#file === null) return;
    try {
      const now = new Date();
      futimesSync(this.#file, now, now);
    } catch {
      // The others find the events when they poll, only later.
    }
  }

  /**
   * Watches for notices until `close`.
   * @param onNotice called after each notice, of this process too
   * @param onFailure called if the file cannot be watched
   */
  watch(onNotice: () => void, onFailure: () => void): void {
    try {
      this.#watcher = watch(this.#path, { persistent: false }, onNotice).on('error', onFailure);
    } catch {
      onFailure();
    }
  }

  close(): void {
    this.#watcher?.close();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

const opened = (path: string): number | null => {
  try {
    const file = openSync(path, 'a', PRIVATE_FILE);
    fchmodSync(file, PRIVATE_FILE);
    return file;
  } catch {
    return null;
  }
};

/** The poll interval if notices cannot be watched, in milliseconds: well below the 50 ms that the port promises. */
const POLL_MS = 20;

interface Waiter {
  readonly after: Sequence;
  readonly wake: () => void;
}

/**
 * The end of the log: wakes its waiters at this process's appends, and at those of others as their notices come. From the
 * first wait on it polls now and then for an append without one, if there is a waiter.
 */
export class Tail {
  readonly #waiters = new Set<Waiter>();
  /** `null` until something waits. */
  #stopPolling: (() => void) | null = null;

  constructor(
    private readonly head: () => Sequence,
    private readonly notice: AppendNotice,
  ) {}

  /** Resolves once there is an event after a sequence, the signal aborts, or the log cannot be read. */
  wait(after: Sequence, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        this.#waiters.delete(waiter);
        resolve();
      };
      const waiter: Waiter = { after, wake };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', wake, { once: true });
      if (this.#stopPolling === null) this.#watch();
    });
  }

  /** To be called when this process has appended. */
  appended(head: Sequence): void {
    this.notice.give();
    this.#reached(head);
  }

  /** Wakes all waiters: the log is being closed. */
  close(): void {
    this.#stopPolling?.();
    for (const { wake } of this.#waiters) wake();
    this.notice.close();
  }

  /** The log now reaches at least this far. */
  #reached(head: Sequence): void {
    for (const { after, wake } of this.#waiters) if (head > after) wake();
  }

  #poll(): void {
    if (this.#waiters.size === 0) return;
    try {
      this.#reached(this.head());
    } catch {
      // The waiters find out for themselves when they read.
      for (const { wake } of this.#waiters) wake();
    }
  }

  #watch(): void {
    const poll = (): void => this.#poll();
    this.#stopPolling = everyTick(IDLE_POLL_MS, poll);
    this.notice.watch(poll, () => {
      this.#stopPolling?.();
      this.#stopPolling = everyTick(POLL_MS, poll);
    });
    // What was appended before the first notice could come.
    poll();
  }
}
