import { closeSync, fchmodSync, type FSWatcher, futimesSync, openSync, watch } from 'node:fs';
import { join } from 'node:path';
import { everyTick, IDLE_POLL_MS } from '../../../core/shared-interval.js';
import { PRIVATE_FILE } from '../folder.js';
import type { Sequence } from './record.js';

/**
 * An empty file beside the log. Each process sets its time after it has appended; the others watch the file and need
 * not poll the log often. If a process is killed before it sets the time, its notice is missing: correctness must not
 * depend on notices.
 */
export class AppendNotice {
  readonly #path: string;
  /** `null`: the file could not be opened, so that this process gives no notices. */
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
      // The others find the events later, when they poll.
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
  let file: number | null = null;
  try {
    file = openSync(path, 'a', PRIVATE_FILE);
    fchmodSync(file, PRIVATE_FILE);
    return file;
  } catch {
    if (file !== null) closeSync(file);
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
 * The end of the log: wakes its waiters after appends of this process, and after notices of others. While there are
 * waiters it also polls at intervals, for appends without a notice.
 */
export class Tail {
  readonly #waiters = new Set<Waiter>();
  /** `null` before the first wait. */
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
      // The waiters get the error when they read.
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
    // For events that were appended before the watch began.
    poll();
  }
}
