import { recordActivityLimits } from '../../../packages/client/src/contract.js';
import type { ActivityEvent } from '../../../packages/interview-client/src/index.js';
import { ApiFailure, isTransient, UNKNOWN } from '../../shared/api.js';
import { serviceNow } from '../../shared/clock.js';
import { pauseAfter } from '../../shared/request.js';
import type { ListableStorage } from '../../shared/storage.js';

const MAX_AT_ONCE = recordActivityLimits.events.maxItems;
/** Size of a batch; the service takes bodies of 256 KiB. */
const MAX_BYTES = 200 * 1024;
/** Size of all that is sent while the page is closed: browsers take 64 KiB. */
const MAX_LAST_BYTES = 60 * 1024;
/** How long activities are collected, and the wait before a failed batch is sent again. */
const SEND_AFTER_MS = 3_000;
/** How long `flushed` waits by default. */
const MAX_WAIT_MS = 2_000;

/** Why an event was not recorded: the service can never accept it, the session is full, or the session is over. */
export type Lost = 'invalid' | 'full' | 'over';

export interface ActivityLogOptions {
  /** Sends a batch. @throws {ApiFailure} */
  readonly send: (events: readonly ActivityEvent[]) => Promise<unknown>;
  /** As `send`, at once, also while the page is being closed. */
  readonly sendLast: (events: readonly ActivityEvent[]) => Promise<unknown>;
  /** Storage of the person, which all tabs share. */
  readonly storage: ListableStorage;
  /** Prefix of the names under which events are stored until they are sent. */
  readonly name: string;
  /** Called when events are dropped that were not recorded. */
  readonly lost: (count: number, why: Lost) => void;
  /** Runs the work while no other tab does. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  /** Milliseconds since the epoch: a device's clock would skew the evidence. Default: `serviceNow`. */
  readonly now?: () => number;
  /** Makes the `clientEventId` of an event. Default: a random UUID. */
  readonly newId?: () => string;
}

/**
 * The candidate's activities, sent in batches. Unsent events are stored in the browser: they survive the tab and a time
 * without network, and any tab sends them. Each event is stored under a name of its own, so that no tab overwrites
 * another's. An event that two tabs send is recorded once, by its `clientEventId`.
 *
 * `add` stores an event, and sends it with others a moment later. `flush` sends at once, `sendLast` while the page is being
 * closed. After `close` nothing is sent automatically.
 */
export class ActivityLog {
  /** Events that the browser's storage does not take. */
  private readonly unstored = new Map<string, ActivityEvent>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | null = null;
  private open = true;
  private failures = 0;
  private latest = 0;
  private readonly leaving = new Set<string>();

  constructor(private readonly options: ActivityLogOptions) {
    if (this.size > 0) this.later(0);
  }

  /** How many events wait. */
  get size(): number {
    return this.waiting().length;
  }

  /** What waits, in order. */
  waiting(): readonly ActivityEvent[] {
    const { storage, name } = this.options;
    const stored = storage.names(`${name}/`).flatMap((one) => {
      const event = eventOf(storage.get(one));
      if (event === null) storage.set(one, null);
      return event ?? [];
    });
    return [...stored, ...this.unstored.values()].sort((one, other) =>
      one.occurredAt < other.occurredAt ? -1 : Number(one.occurredAt > other.occurredAt),
    );
  }

  /** Records an activity as of now. It is kept in the browser before this returns, and sent a moment later. */
  add(eventType: string, payload: Readonly<Record<string, unknown>> = {}): void {
    const { now = serviceNow, newId = () => crypto.randomUUID(), storage, name } = this.options;
    // Activities are ordered by their times, so this one must be later than all before it, also those of another tab, whose
    // clock may be a second ahead. Two tabs may overwrite each other's latest time, so the last waiting event counts too.
    const before = [Number(storage.get(latestOf(name))), Date.parse(this.waiting().at(-1)?.occurredAt ?? '')];
    this.latest = Math.max(this.latest, ...before.filter(Number.isFinite));
    this.latest = Math.max(Math.round(now()), this.latest + 1);
    storage.set(latestOf(name), `${this.latest}`);
    const clientEventId = newId();
    const occurredAt = new Date(this.latest).toISOString();
    const event: ActivityEvent = { clientEventId, eventType, occurredAt, payload };
    const text = JSON.stringify(event);
    storage.set(this.nameOf(event), text);
    if (storage.get(this.nameOf(event)) !== text) this.unstored.set(clientEventId, event);
    this.later(SEND_AFTER_MS);
  }

  /** Sends all that waits, as far as the service takes it. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sending ??= this.options.alone(() => this.sendAll()).finally(() => (this.sending = null));
    return this.sending;
  }

  /** As `flush`, but returns after `maxMs` at the latest: two seconds by default. */
  async flushed(maxMs = MAX_WAIT_MS): Promise<void> {
    if (this.size === 0) return;
    await Promise.race([this.flush(), new Promise((done) => setTimeout(done, maxMs))]);
  }

  /** The page is being closed: sends as many events as fit one request. */
  sendLast(): void {
    const fresh = this.waiting().filter(({ clientEventId }) => !this.leaving.has(clientEventId));
    const batch = cut(fresh, MAX_LAST_BYTES);
    if (batch.length === 0) return;
    for (const { clientEventId } of batch) this.leaving.add(clientEventId);
    void this.options
      .sendLast(batch)
      .then(() => this.remove(batch))
      .catch(() => this.later(SEND_AFTER_MS))
      .finally(() => {
        for (const { clientEventId } of batch) this.leaving.delete(clientEventId);
      });
  }

  /** Stops sending automatically. */
  close(): void {
    this.open = false;
    clearTimeout(this.timer);
  }

  private later(ms: number): void {
    if (this.open) this.timer ??= setTimeout(() => void this.flush(), ms);
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      const batch = cut(this.waiting(), MAX_BYTES);
      if (batch.length === 0) return;
      if (!(await this.sent(batch))) return;
      this.failures = 0;
    }
  }

  /** @returns whether to send further batches: this one was recorded, or dropped since it can never be recorded */
  private async sent(batch: readonly ActivityEvent[]): Promise<boolean> {
    try {
      await this.options.send(batch);
    } catch (error) {
      const why = lossOf(error);
      if (why === null) {
        this.failures += 1;
        this.later(pauseAfter(this.failures, error));
        return false;
      }
      if (why !== 'invalid') {
        this.drop(this.waiting(), why);
        return true;
      }
      // The service refuses a batch as a whole: halve it, so that only the invalid event is dropped.
      const half = Math.ceil(batch.length / 2);
      if (batch.length > 1)
        return (await this.sent(batch.slice(0, half))) && (await this.sent(batch.slice(half)));
      this.drop(batch, why);
      return true;
    }
    this.remove(batch);
    return true;
  }

  private drop(events: readonly ActivityEvent[], why: Lost): void {
    this.remove(events);
    this.options.lost(events.length, why);
  }

  private remove(events: readonly ActivityEvent[]): void {
    for (const event of events) {
      this.options.storage.set(this.nameOf(event), null);
      this.unstored.delete(event.clientEventId);
    }
  }

  private nameOf({ clientEventId }: ActivityEvent): string {
    return `${this.options.name}/${clientEventId}`;
  }
}

/** The name of the time of the latest event. */
const latestOf = (name: string): string => `latest.${name}`;

/** Differs once an event of that name was added or sent, by any tab. */
export const stampOf = (storage: ListableStorage, name: string): string =>
  JSON.stringify([storage.get(latestOf(name)), storage.names(`${name}/`)]);

/** Why a failed batch is lost; `null`: another try may succeed, possibly after another sign-in. */
const lossOf = (error: unknown): Lost | null => {
  if (!(error instanceof ApiFailure) || isTransient(error)) return null;
  const { status, code } = error;
  if (code === 'session_full') return 'full';
  if (status === 413) return 'invalid';
  // The answer may come from a proxy or a network's sign-in page: only one with a code of the service counts.
  if (code === UNKNOWN) return null;
  if (status === 400 || status === 422) return 'invalid';
  return code === 'session_ended' || [403, 404, 410].includes(status) ? 'over' : null;
};

/** The first events that one request may carry, at least one if there is any. */
const cut = (events: readonly ActivityEvent[], maxBytes: number): readonly ActivityEvent[] => {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = events.slice(0, MAX_AT_ONCE).findIndex((event) => {
    bytes += encoder.encode(JSON.stringify(event)).length + 1;
    return bytes > maxBytes;
  });
  return events.slice(0, end < 0 ? MAX_AT_ONCE : Math.max(1, end));
};

/** Reads a stored event; `null`: the text is not one, or of another build. */
export const eventOf = (text: string | null): ActivityEvent | null => {
  try {
    const event = JSON.parse(text ?? 'null') as Partial<ActivityEvent> | null;
    const isEvent =
      typeof event?.clientEventId === 'string' &&
      typeof event.eventType === 'string' &&
      typeof event.occurredAt === 'string' &&
      typeof event.payload === 'object';
    return isEvent ? (event as ActivityEvent) : null;
  } catch {
    return null;
  }
};
