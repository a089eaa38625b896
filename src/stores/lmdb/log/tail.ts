import { closeSync, fchmodSync, type FSWatcher, futimesSync, openSync, watch } from 'node:fs';
import { join } from 'node:path';
import { everyBeat, PULSE_MS } from '../../../core/pulse.js';
import { PRIVATE_FILE } from '../folder.js';
import type { Sequence } from './record.js';

/**
 * An empty file beside the log, whose time each process sets after it has appended: the others can sleep until then. A
 * notice may be missing, where a process was killed before it gave it, so nothing may rest on one.
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

  give(): void {
    if (this.#file === null) return;
    try {
      const now = new Date();
      futimesSync(this.#file, now, now);
    } catch {
      // The others look for themselves, only later.
    }
  }

  /**
   * Calls `told` after each notice, of this process too, until `close`.
   * @param deaf called where the file cannot be watched
   */
  watch(told: () => void, deaf: () => void): void {
    try {
      this.#watcher = watch(this.#path, { persistent: false }, told).on('error', deaf);
    } catch {
      deaf();
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

/** Without notices, another process's append is seen within this time, well under the 50 ms promised. */
const DEAF_MS = 20;

interface Waiter {
  readonly after: Sequence;
  readonly wake: () => void;
}

/**
 * The end of the log: wakes its waiters at this process's appends, and at those of others as their notices come. It
 * looks now and then for an append without one, as long as there is a waiter.
 */
export class Tail {
  readonly #waiters = new Set<Waiter>();
  #watching = false;
  #lookMs = PULSE_MS;
  #stopLooking: (() => void) | null = null;

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
        if (this.#waiters.size === 0) this.#stop();
        resolve();
      };
      const waiter: Waiter = { after, wake };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', wake, { once: true });
      this.#start();
    });
  }

  /** This process has appended. */
  appended(head: Sequence): void {
    this.notice.give();
    this.#reached(head);
  }

  /** Wakes all waiters: the log is being closed. */
  close(): void {
    for (const { wake } of this.#waiters) wake();
    this.notice.close();
  }

  /** The log now reaches at least this far. */
  #reached(head: Sequence): void {
    for (const { after, wake } of this.#waiters) if (head > after) wake();
  }

  #look(): void {
    if (this.#waiters.size === 0) return;
    try {
      this.#reached(this.head());
    } catch {
      // The waiters find out for themselves when they read.
      for (const { wake } of this.#waiters) wake();
    }
  }

  #start(): void {
    this.#stopLooking ??= everyBeat(this.#lookMs, () => this.#look());
    if (this.#watching) return;
    this.#watching = true;
    this.notice.watch(
      () => this.#look(),
      () => {
        this.#lookMs = DEAF_MS;
        this.#stop();
        if (this.#waiters.size > 0) this.#start();
      },
    );
    // What was appended before the first notice could come.
    this.#look();
  }

  #stop(): void {
    this.#stopLooking?.();
    this.#stopLooking = null;
  }
}
