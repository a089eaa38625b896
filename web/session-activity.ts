import { signal } from '@preact/signals';
import type { ActivityEvent } from '../packages/interview-client/src/index.js';
import { ActivityLog, eventOf, type Lost } from './activity-log.js';
import type { Api } from './api.js';
import { changedFor, forPerson } from './kept.js';
import type { BriefingTicket, TicketProgress } from '../packages/client/src/contract.js';
import { recordSignals } from './signals-of-work.js';

interface Options {
  readonly api: Api;
  /** Of the person who is signed in. */
  readonly subject: string;
  readonly sessionId: string;
  /** The texts of tasks and questions at a time. */
  readonly prompts: () => readonly string[];
  readonly lost: (count: number, why: Lost) => void;
}

const FOLDER = 'activity';

/** What the candidate does in a session: it is recorded, and shown as the progress of the tasks in every tab. */
export class SessionActivity {
  readonly progress = signal<ReadonlyMap<string, TicketProgress>>(new Map());
  private readonly log: ActivityLog;
  private readonly ending = new AbortController();
  private stopSignals: (() => void) | null = null;

  constructor(options: Options) {
    const { api, subject, sessionId } = options;
    const path = `trial-sessions/${sessionId}/activity`;
    const name = `${FOLDER}/${sessionId}`;
    this.log = new ActivityLog({
      // Sent again it does nothing more, by the events' own ids.
      send: (events) => api.post(path, { events }, { tries: 1, key: crypto.randomUUID() }),
      sendLast: (events) => api.postLast(path, { events }),
      kept: forPerson(subject),
      name,
      lost: options.lost,
      alone: aloneOf(`assay.${subject}.${name}`),
    });
    const { signal: ended } = this.ending;
    this.stopSignals = recordSignals(this.log, options.prompts);
    // After those of the signals: what they record is sent too.
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState === 'hidden') this.log.sendLast();
      },
      { signal: ended },
    );
    addEventListener('pagehide', () => this.log.sendLast(), { signal: ended });
    for (const back of ['online', 'pageshow'])
      addEventListener(back, () => void this.log.flush(), { signal: ended });
    addEventListener(
      'storage',
      (event) => {
        // Another tab of the same person.
        if (changedFor(subject, event)?.startsWith(`${name}/`)) this.apply(eventOf(event.newValue));
      },
      { signal: ended },
    );
  }

  /** How many things are not sent. */
  get unsent(): number {
    return this.log.size;
  }

  /** Takes over what the service has, and what it does not have yet. */
  told(tickets: readonly BriefingTicket[]): void {
    this.progress.value = new Map(
      tickets.flatMap(({ id, progress }): [string, TicketProgress][] => (progress ? [[id, progress]] : [])),
    );
    for (const event of this.log.waiting()) this.apply(event);
  }

  did(eventType: string, payload: Readonly<Record<string, unknown>> = {}): void {
    this.log.add(eventType, payload);
    this.apply({ clientEventId: '', occurredAt: '', eventType, payload });
  }

  /** @see ActivityLog.flushed */
  flushed(maxMs?: number): Promise<void> {
    return this.log.flushed(maxMs);
  }

  /** Records nothing more. What is not sent yet is sent once more. */
  close(): void {
    this.forget();
    if (this.unsent > 0) void this.log.flush();
  }

  /** As `close`, and sends nothing. */
  forget(): void {
    this.stopSignals?.();
    this.stopSignals = null;
    this.ending.abort();
    this.log.close();
  }

  private apply(event: ActivityEvent | null): void {
    const ticketId = event?.payload['ticketId'];
    if (typeof ticketId !== 'string') return;
    const to = PROGRESS[event?.eventType ?? ''];
    if (to) this.progress.value = new Map([...this.progress.value, [ticketId, to]]);
  }
}

const PROGRESS: Readonly<Record<string, TicketProgress | undefined>> = {
  'ticket.started': 'started',
  'ticket.finished': 'finished',
};

/** A browser without locks has tabs send the same twice at times: the service records it once. */
const aloneOf =
  (name: string) =>
  async (work: () => Promise<void>): Promise<void> => {
    const locks = navigator.locks as LockManager | undefined;
    await (locks ? locks.request(name, work) : work());
  };
