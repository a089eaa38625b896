import { signal } from '@preact/signals';
import type { BriefingTicket, TicketProgress } from '../../../packages/client/src/contract.js';
import type { ActivityEvent } from '../../../packages/interview-client/src/index.js';
import { aloneOf } from '../../shared/alone.js';
import type { Api } from '../../shared/api.js';
import { changedItemOf, personStorage } from '../../shared/storage.js';
import { ActivityLog, eventOf, type Lost, stampOf } from './activity-log.js';

type Progress = ReadonlyMap<string, TicketProgress>;

/** The texts of the tasks and questions that are shown now. */
type Prompts = () => readonly string[];

/**
 * Records the candidate's actions while a session is open, and derives the progress of the tasks from them in every tab.
 *
 * `begin` and `end` follow the session's status and may be called repeatedly. `did` records one action. `takeOver` adds the
 * progress that the service has, after each read of the briefing. At a sign-out, call `flushed`, then `forget`.
 */
export class Recording {
  /** What could not be recorded. */
  readonly lost = signal<{ readonly count: number; readonly why: Lost } | null>(null);
  private readonly open = signal<SessionActivity | null>(null);

  constructor(
    private readonly api: Api,
    private readonly prompts: Prompts,
  ) {}

  /** How far the candidate is with each task, by its id. */
  get progress(): Progress {
    return this.open.value?.progress.value ?? NONE;
  }

  /** How many actions are not sent. */
  get unsent(): number {
    return this.open.value?.log.size ?? 0;
  }

  /** @param subject the person who is signed in; `null`: signed out, and nothing is recorded */
  begin(subject: string | null, sessionId: string): void {
    if (subject !== null) this.open.value ??= this.activityOf(subject, sessionId);
  }

  /** Stops recording, after a last try to send what is not sent. */
  end(): void {
    this.open.value?.close();
    this.open.value = null;
  }

  /** Stops recording without sending. */
  forget(): void {
    this.open.value?.forget();
    this.open.value = this.lost.value = null;
  }

  /** Sends events that an earlier tab stored and did not send before the session ended. */
  sendRestOf(subject: string, sessionId: string): void {
    this.activityOf(subject, sessionId).close();
  }

  /** Changes once something was recorded or sent: an answer of the service that was requested before may lack it. */
  stampOf(subject: string, sessionId: string): string {
    return `${this.unsent} ${stampOf(personStorage(subject), nameOf(sessionId))}`;
  }

  /** Takes over the progress that the service has, and adds what it does not have yet. */
  takeOver(tickets: readonly BriefingTicket[]): void {
    this.open.value?.takeOver(tickets);
  }

  /** Records something that the candidate did, if a session is open. */
  did(eventType: string, payload: Readonly<Record<string, unknown>> = {}): void {
    this.open.value?.did(eventType, payload);
  }

  /** Sends what is not sent, for `maxMs` at most; the default is that of `ActivityLog.flushed`. */
  async flushed(maxMs?: number): Promise<void> {
    await this.open.value?.log.flushed(maxMs);
  }

  private activityOf(subject: string, sessionId: string): SessionActivity {
    return new SessionActivity(this.api, subject, sessionId, this.prompts, (count, why) => {
      this.lost.value = { count: count + (this.lost.value?.count ?? 0), why };
    });
  }
}

const NONE: Progress = new Map();

const nameOf = (sessionId: string): string => `activity/${sessionId}`;

/** Records the activity of one session, from its beginning to its end. */
class SessionActivity {
  readonly progress = signal<Progress>(NONE);
  readonly log: ActivityLog;
  private readonly ending = new AbortController();

  constructor(
    api: Api,
    subject: string,
    sessionId: string,
    prompts: Prompts,
    lost: (count: number, why: Lost) => void,
  ) {
    const path = `trial-sessions/${sessionId}/activity`;
    const name = nameOf(sessionId);
    this.log = new ActivityLog({
      // Idempotent by the ids of the events.
      send: (events) => api.post(path, { events }, { tries: 1, key: crypto.randomUUID() }),
      sendLast: (events) => api.postLast(path, { events }),
      storage: personStorage(subject),
      name,
      lost,
      alone: aloneOf(`assay.${subject}.${name}`),
    });
    const { signal: ended } = this.ending;
    trackPresence(this.log, prompts, ended);
    // Added after the listeners of the presence, so that what they record is sent too.
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
        if (changedItemOf(subject, event)?.startsWith(`${name}/`)) this.apply(eventOf(event.newValue));
      },
      { signal: ended },
    );
  }

  takeOver(tickets: readonly BriefingTicket[]): void {
    this.progress.value = new Map(
      tickets.flatMap(({ id, progress }): [string, TicketProgress][] => (progress ? [[id, progress]] : [])),
    );
    for (const event of this.log.waiting()) this.apply(event);
  }

  did(eventType: string, payload: Readonly<Record<string, unknown>>): void {
    this.log.add(eventType, payload);
    this.apply({ clientEventId: '', occurredAt: '', eventType, payload });
  }

  close(): void {
    this.forget();
    if (this.log.size > 0) void this.log.flush();
  }

  forget(): void {
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

/** Records when the page is hidden and what is pasted into it, as the notice describes, until the signal aborts. */
const trackPresence = (log: ActivityLog, prompts: Prompts, signal: AbortSignal): void => {
  document.addEventListener(
    'visibilitychange',
    () => log.add(document.visibilityState === 'hidden' ? 'page.hidden' : 'page.shown'),
    { signal },
  );
  document.addEventListener(
    'paste',
    (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text !== '') log.add('clipboard.pasted', pastePayload(text, prompts()));
    },
    { signal },
  );
};

/** Shorter texts do not count as a part of a prompt: most prompts contain them. */
const MIN_PROMPT = 20;

/** What is recorded of a pasted text: its length, and whether it is part of a prompt. The text itself is not recorded. */
export const pastePayload = (text: string, prompts: readonly string[]): Record<string, unknown> => {
  const nonBlank = text.replace(/\s+/g, '');
  const squeezed = text.trim().replace(/\s+/g, ' ');
  const fromPrompt =
    squeezed.length >= MIN_PROMPT && prompts.some((prompt) => prompt.replace(/\s+/g, ' ').includes(squeezed));
  return {
    characters: Array.from(text).length,
    nonBlankCharacters: Array.from(nonBlank).length,
    ...(fromPrompt && { source: 'prompt' }),
  };
};
