import type { ActivityEvent } from '../packages/interview-client/src/index.js';
import { ApiFailure, isPassing } from './api.js';
import { serviceNow } from './clock.js';
import type { Kept } from './kept.js';

const MOST_AT_ONCE = 100;
const SOON_MS = 3_000;
const LATER_MS = 10_000;
const PATIENCE_MS = 2_000;

export interface ActivityLogOptions {
  /** Sends a batch. @throws {ApiFailure} */
  readonly send: (events: readonly ActivityEvent[]) => Promise<unknown>;
  readonly kept: Kept;
  /** Under which name events are kept until they are sent. */
  readonly name: string;
  /** Milliseconds since the epoch: a device's clock would skew the evidence. */
  readonly now?: () => number;
  readonly newId?: () => string;
}

/** What the candidate does, sent in batches. What is not sent yet outlives a reload and a time without network. */
export class ActivityLog {
  private waiting: ActivityEvent[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | null = null;
  private open = true;

  constructor(private readonly options: ActivityLogOptions) {
    this.waiting = read(options.kept.get(options.name));
    if (this.waiting.length > 0) this.later(0);
  }

  /** How many events wait. */
  get size(): number {
    return this.waiting.length;
  }

  add(eventType: string, payload: Readonly<Record<string, unknown>> = {}): void {
    const { now = serviceNow, newId = () => crypto.randomUUID() } = this.options;
    this.waiting.push({
      clientEventId: newId(),
      eventType,
      occurredAt: new Date(now()).toISOString(),
      payload,
    });
    this.keep();
    this.later(SOON_MS);
  }

  /** Sends all that waits, as far as the service takes it. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  /** As `flush`, but a slow network holds nothing up for long. */
  async flushed(): Promise<void> {
    if (this.waiting.length === 0) return;
    await Promise.race([this.flush(), new Promise((done) => setTimeout(done, PATIENCE_MS))]);
  }

  /** Sends nothing more by itself. */
  close(): void {
    this.open = false;
    clearTimeout(this.timer);
  }

  private later(ms: number): void {
    if (this.open) this.timer ??= setTimeout(() => void this.flush(), ms);
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MOST_AT_ONCE);
      try {
        await this.options.send(batch);
      } catch (error) {
        // Without a sign-in it waits too; what the service refuses would be refused again.
        if (isPassing(error) || (error instanceof ApiFailure && error.status === 401)) {
          this.later(LATER_MS);
          return;
        }
      }
      this.waiting = this.waiting.slice(batch.length);
      this.keep();
    }
  }

  private keep(): void {
    const { kept, name } = this.options;
    kept.set(name, this.waiting.length === 0 ? null : JSON.stringify(this.waiting));
  }
}

const read = (text: string | null): ActivityEvent[] => {
  try {
    const events: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(events) ? (events as ActivityEvent[]) : [];
  } catch {
    return [];
  }
};
