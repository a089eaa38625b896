import type { Waiting } from '../../http/sending.js';

const CHECK_MS = 50;

/** Limits of the bytes that were sent and that the client has not read. */
export const BACKLOG = {
  /** Up to this the client counts as keeping up. */
  easy: 64 * 1024,
  /** Above this the client's frames are not read. */
  clogged: 256 * 1024,
  /** Above this the connection is closed. More than all facts of an interview, which a resume can send at once. */
  max: 12 * 1024 * 1024,
} as const;

/** What a connection is notified of by its backlog. */
export interface BacklogEvents {
  /** The backlog has exceeded `clogged` (true), or has fallen to `easy` (false). */
  clogged(isClogged: boolean): void;
  /** The client has read nothing for too long, or it alone or all clients together leave too much unread. */
  stuck(): void;
}

const AT_ONCE = Promise.resolve();

/**
 * Watches how much a client has not read yet. While the client keeps up, this costs one comparison per frame; only a
 * slow client has a timer.
 */
export class Backlog {
  private timer: NodeJS.Timeout | null = null;
  private waitingFor: (() => void)[] = [];
  private sent = 0;
  private read = 0;
  private movedAt = 0;
  private isClogged = false;

  /** @param amount bytes in the socket's queue now */
  constructor(
    private readonly amount: () => number,
    private readonly stalledMs: number,
    private readonly events: BacklogEvents,
    /** Counts this backlog, once it is above `easy`, among all unread bytes of the process. */
    private readonly waiting: Waiting,
  ) {}

  /** Counts sent bytes. */
  grew(bytes: number): void {
    this.sent += bytes;
    const amount = this.amount();
    if (amount > BACKLOG.max) this.events.stuck();
    else if (amount > BACKLOG.easy) {
      if (this.timer === null) this.watch();
      if (!this.waiting.becomes(amount)) this.events.stuck();
    }
  }

  /** Resolves once the client keeps up, or `stop` was called. */
  ready(): Promise<void> {
    return this.timer === null ? AT_ONCE : new Promise((resolve) => this.waitingFor.push(resolve));
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.waiting.becomes(0);
    for (const resolve of this.waitingFor.splice(0)) resolve();
  }

  private watch(): void {
    this.read = this.sent - this.amount();
    this.movedAt = performance.now();
    this.timer = setInterval(() => this.check(), CHECK_MS);
  }

  private check(): void {
    const amount = this.amount();
    const now = performance.now();
    if (amount <= BACKLOG.easy) {
      this.stop();
      if (this.isClogged) this.setClogged(false);
      return;
    }
    this.waiting.becomes(amount);
    if (amount > BACKLOG.clogged && !this.isClogged) this.setClogged(true);
    if (this.sent - amount > this.read) {
      this.read = this.sent - amount;
      this.movedAt = now;
    } else if (now - this.movedAt >= this.stalledMs) this.events.stuck();
  }

  private setClogged(isClogged: boolean): void {
    this.isClogged = isClogged;
    this.events.clogged(isClogged);
  }
}

/** What a connection is notified of by its pauses of reading. */
export interface ReadPausesEvents {
  pause(): void;
  /** @param heldMs how long reading was paused */
  resume(heldMs: number): void;
  /** Send the client `flow`: its frames are not read, or are read again. */
  notify(state: 'pause' | 'resume'): void;
}

/**
 * Whether a client's frames are read: not while the conversation has paused it, and not while the client itself does
 * not read. The client is notified of a conversation's pause that lasts longer than `flowMs`.
 */
export class ReadPauses {
  /** One entry for each pause of the conversation that has not ended. */
  private readonly holds = new Set<symbol>();
  private isClogged = false;
  private pausedAt = 0;
  private heldAt = 0;
  private isNotified = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly flowMs: number,
    private readonly events: ReadPausesEvents,
  ) {}

  get isPaused(): boolean {
    return this.holds.size > 0 || this.isClogged;
  }

  /** Pauses the client for the conversation. @returns a function that ends this pause */
  pause(): () => void {
    const hold = Symbol('hold');
    if (this.holds.size === 0) this.heldAt = performance.now();
    this.change(() => this.holds.add(hold));
    // Short pauses, of which there can be many, leave the timer running: `check` measures the current pause.
    this.timer ??= setTimeout(() => this.check(), this.flowMs);
    return () => this.release(hold);
  }

  private release(hold: symbol): void {
    this.change(() => this.holds.delete(hold));
    if (this.holds.size > 0) return;
    if (this.isNotified) this.events.notify('resume');
    this.isNotified = false;
  }

  /** Call it when the client does not read what it is sent, or reads again. */
  clog(isClogged: boolean): void {
    this.change(() => (this.isClogged = isClogged));
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private change(set: () => void): void {
    const before = this.isPaused;
    set();
    if (this.isPaused === before) return;
    if (before) this.events.resume(performance.now() - this.pausedAt);
    else {
      this.pausedAt = performance.now();
      this.events.pause();
    }
  }

  private check(): void {
    this.timer = null;
    if (this.holds.size === 0 || this.isNotified) return;
    const left = this.heldAt + this.flowMs - performance.now();
    if (left > 0) {
      this.timer = setTimeout(() => this.check(), Math.ceil(left));
      return;
    }
    this.isNotified = true;
    this.events.notify('pause');
  }
}
