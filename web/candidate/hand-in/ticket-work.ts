import { signal } from '@preact/signals';
import { type Api, ApiFailure, isTransient } from '../../shared/api.js';
import { sha256Of } from '../../shared/packing.js';
import { pauseAfter } from '../../shared/request.js';
import type { ListableStorage } from '../../shared/storage.js';
import type { HandIn, HandInPage } from './contract.js';
import { type FileKeeper, TextDrafts } from './keeping.js';
import { send, type Upload } from './upload.js';

/** A hand-in that is being sent. */
export interface Sending {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly received: number;
  /** The next try is scheduled: there is no connection, or the service asks to wait. */
  readonly isWaiting: boolean;
}

export interface TicketWorkOptions {
  readonly api: Pick<Api, 'get' | 'post'>;
  readonly sessionId: string;
  readonly ticketId: string;
  /** Storage of this person. */
  readonly storage: ListableStorage;
  readonly files: FileKeeper;
  /** Runs it while no other tab does. */
  readonly alone?: (work: () => Promise<void>) => Promise<void>;
}

/** How many hand-ins the service lists at once, refused ones included. */
const MAX_PAGE = 200;

/** Interval of polls for the results of checks, which grows with each poll. */
const FIRST_CHECK_MS = 2_000;
const MAX_CHECK_MS = 30_000;

/**
 * A candidate's work for one ticket of a session: what was handed in, what is being sent, what is written.
 *
 * `load` reads what was handed in, and resumes a hand-in that a former page did not finish. `handIn` sends a new one: it is
 * kept on this device until the service has it, and tried until it succeeds or is refused.
 */
export class TicketWork {
  /** Oldest first; `null`: not read yet. */
  readonly handIns = signal<readonly HandIn[] | null>(null);
  readonly sending = signal<Sending | null>(null);
  /** The service's sentence if it refused the last one; `null`: it did not. */
  readonly refusal = signal<string | null>(null);
  /** False: the service takes no hand-ins for the ticket, and the page shows none. */
  readonly isServed = signal(true);
  /** The hand-ins could not be read. */
  readonly isUnread = signal(false);
  /** The service refuses to show the results of checks: they are not polled for any more. */
  readonly hasHiddenResults = signal(false);
  readonly drafts: TextDrafts;
  private running: Promise<void> | null = null;
  private polling: ReturnType<typeof setTimeout> | undefined;
  private wake = (): void => undefined;
  private closed = false;
  /** The marker, if the browser's storage does not take it: it may be full. */
  private unstored: string | null = null;

  constructor(private readonly options: TicketWorkOptions) {
    const { storage, sessionId, ticketId } = options;
    this.drafts = new TextDrafts(storage, `${sessionId}/${ticketId}`);
  }

  /** The hand-ins that have arrived, newest first. */
  get handedIn(): readonly HandIn[] {
    return (this.handIns.value ?? [])
      .filter(({ status }) => status === 'handed_in')
      .sort((one, other) => ((one.handedInAt ?? '') < (other.handedInAt ?? '') ? 1 : -1));
  }

  /** Whether any has arrived. */
  get isHandedIn(): boolean {
    return this.handedIn.length > 0;
  }

  /**
   * Reads what was handed in, and resumes a hand-in that is not sent. Never throws: see `isServed` and `isUnread`.
   */
  async load(): Promise<void> {
    void this.resume();
    try {
      this.handIns.value = await this.read();
      this.isUnread.value = false;
      if (this.sending.value === null) this.refusal.value ??= this.handIns.value.at(-1)?.refusal ?? null;
      await this.markDrafts();
      this.watchChecks(FIRST_CHECK_MS);
    } catch (error) {
      this.isServed.value = !(error instanceof ApiFailure && error.code === 'not_found');
      this.isUnread.value = this.isServed.value && this.handIns.value === null;
    }
  }

  /** @returns whether it arrived; false: it was refused, see `refusal` */
  async handIn(upload: Upload): Promise<boolean> {
    const { files, storage } = this.options;
    const { name, sha256, content } = upload;
    this.refusal.value = null;
    this.sending.value = { name, sha256, bytes: content.byteLength, received: 0, isWaiting: false };
    await files.set(this.key, { name, sha256, content, key: crypto.randomUUID() });
    storage.set(this.marker, sha256);
    this.unstored = storage.get(this.marker) === sha256 ? null : sha256;
    // Ends the pause of the hand-in that this one replaces.
    this.wake();
    await this.running;
    await this.resume();
    return this.handedIn.some((one) => one.sha256 === sha256);
  }

  /** Resumes a hand-in that is not sent. */
  resume(): Promise<void> {
    const { alone = (work: () => Promise<void>) => work() } = this.options;
    if (this.due === null) return Promise.resolve();
    this.running ??= alone(() => this.sendKept()).finally(() => (this.running = null));
    return this.running;
  }

  /** Ends the pause before the next try: there may be a connection again. */
  retry(): void {
    this.wake();
  }

  /** Stops sending and polling. Drafts are stored no more: a candidate who has signed out leaves none. */
  close(): void {
    this.closed = true;
    this.drafts.close();
    clearTimeout(this.polling);
    this.wake();
  }

  /** Reads the hand-ins, again if one arrived meanwhile, since the answer may lack it. @throws {ApiFailure} */
  private async read(): Promise<readonly HandIn[]> {
    const before = this.handIns.value;
    const all: HandIn[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: HandInPage = await this.options.api.get(`${this.path}?limit=${MAX_PAGE}${from}`);
      all.push(...page.items);
      cursor = page.nextCursor;
    }
    return this.handIns.value === before ? all : this.read();
  }

  private async sendKept(): Promise<void> {
    const { files } = this.options;
    for (let tries = 1; !this.closed; tries += 1) {
      const kept = await files.get(this.key).catch(() => undefined);
      if (kept === undefined) {
        // It is there, but the browser does not read it now.
        await this.pause(pauseAfter(tries, null));
        continue;
      }
      if (kept === null) {
        // Another tab has sent it, or the browser did not store it.
        this.forget();
        await this.load();
        return;
      }
      const failure = await this.sendOnce(kept);
      const isReplaced = this.due !== kept.sha256;
      if (isReplaced) continue;
      if (failure === null || !isTransient(failure)) {
        // Stays stored: it is resumed after the next sign-in.
        if (failure instanceof ApiFailure && failure.status === 401) return;
        if (failure !== null) this.refusal.value = failure.message;
        this.forget();
        await files.remove(this.key, kept.sha256);
        return;
      }
      this.show(kept, this.sending.value?.received ?? 0, true);
      await this.pause(pauseAfter(tries, failure));
    }
  }

  /** @returns `null`: it has arrived */
  private async sendOnce(kept: Upload): Promise<Error | null> {
    this.show(kept, this.sending.value?.received ?? 0);
    try {
      const progress = (received: number) => this.show(kept, received);
      this.add(await send(this.options.api, this.path, kept, { progress }));
    } catch (error) {
      return error as Error;
    }
    await this.markDrafts();
    this.watchChecks(FIRST_CHECK_MS);
    return null;
  }

  private show({ name, sha256, content }: Upload, received: number, isWaiting = false): void {
    this.sending.value = { name, sha256, bytes: content.byteLength, received, isWaiting };
  }

  private pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  private forget(): void {
    this.options.storage.set(this.marker, null);
    this.unstored = null;
    this.sending.value = null;
  }

  private add(handIn: HandIn): void {
    this.handIns.value = [...(this.handIns.value ?? []).filter(({ id }) => id !== handIn.id), handIn];
  }

  /** Marks the drafts that the newest hand-in has unchanged as handed in. */
  private async markDrafts(): Promise<void> {
    const files = this.handedIn[0]?.files ?? [];
    for (const name of this.drafts.unsentNames) {
      const text = this.drafts.of(name) ?? '';
      const sha256 = await sha256Of(new TextEncoder().encode(text));
      if (files.some((file) => file.path === name && file.sha256 === sha256))
        this.drafts.handedIn(name, text);
    }
  }

  /**
   * Polls for the results of checks until each hand-in has one, the oldest first: so they are run. Ends if the service
   * refuses, such as after the candidate's erasure.
   */
  private watchChecks(ms: number): void {
    clearTimeout(this.polling);
    this.hasHiddenResults.value = false;
    const oldest = this.handedIn.findLast(({ checks }) => checks?.state === 'waiting');
    if (this.closed || !oldest) return;
    this.polling = setTimeout(() => {
      void this.options.api
        .get<HandIn>(`${this.path}/${oldest.id}`)
        .then((current) => {
          this.add(current);
          const isDone = current.checks?.state !== 'waiting';
          this.watchChecks(isDone ? FIRST_CHECK_MS : Math.min(MAX_CHECK_MS, ms * 1.5));
        })
        .catch((error: unknown) => {
          if (isTransient(error)) this.watchChecks(MAX_CHECK_MS);
          else this.hasHiddenResults.value = true;
        });
    }, ms);
  }

  get path(): string {
    const { sessionId, ticketId } = this.options;
    return `trial-sessions/${sessionId}/tickets/${ticketId}/hand-ins`;
  }

  private get key(): string {
    const { sessionId, ticketId } = this.options;
    return `${sessionId}/${ticketId}`;
  }

  /** The hash of the hand-in that is not sent; `null`: none. */
  private get due(): string | null {
    return this.unstored ?? this.options.storage.get(this.marker);
  }

  private get marker(): string {
    return `sending/${this.key}`;
  }
}
