import type { ReadonlySignal } from '@preact/signals';
import type { OwnTrialSession } from '../../../packages/client/src/contract.js';
import { InterviewClient, type Receipt } from '../../../packages/interview-client/src/index.js';
import { type Api, ApiFailure } from '../../shared/api.js';
import { serviceNow } from '../../shared/clock.js';
import { isOpen } from '../state.js';
import { type Drafts, recordedOf } from './drafts.js';
import { isSending, type Recorded, recordedSince, type RoomState, RoomStore } from './room-state.js';
import { Speech } from './speech.js';
import { WrittenAnswers } from './written-answers.js';

export interface InterviewOptions {
  readonly sessionId: string;
  /** The service's address, ending in a slash. */
  readonly base: string;
  readonly api: Api;
  /** An ID token; `null`: the candidate is signed out. */
  readonly token: () => Promise<string | null>;
  /** The address of `audio/worklet.ts`. */
  readonly worklet: string;
  /** The language in which the interviewer speaks, unless the service names another. */
  readonly language: () => string;
  readonly drafts: Drafts;
  readonly deviceId: string;
  /** Sends recorded activities. Called before the last answer, which ends the session. */
  readonly flush: () => Promise<void>;
  /** How many activities are not sent. */
  readonly waiting: () => number;
  /** Called once the interview has ended, with the session and the texts that were sent at the end of the time. */
  readonly over: (session: OwnTrialSession, handedIn: readonly Recorded[]) => void;
  /** Called in place of `over` if the session is gone. */
  readonly gone: () => void;
}

/** Whether the session is not the candidate's any more, as after an erasure. */
const isGone = (error: unknown): boolean =>
  error instanceof ApiFailure && [403, 404, 410].includes(error.status);

const MAX_WAIT_MS = 5_000;
/** How often the remaining time is checked. */
const TICK_MS = 500;
/** How long before the end a written answer is sent, and then what was written since. */
export const HAND_IN_MS = [8_000, 2_500] as const;

/**
 * A running interview: its connection, its time and its end. `written` has what the candidate writes, `speech` what is
 * spoken.
 *
 * `start` connects. Each message of the service becomes an event of the room's state, which is all that is shown. When
 * the interview has ended, `over` is called once the service has the session as ended and each message its receipt;
 * `close` leaves without ending it.
 */
export class Interview {
  readonly written: WrittenAnswers;
  readonly speech: Speech;
  private readonly room = new RoomStore();
  private readonly client: InterviewClient;
  private closed = false;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** How often the written text was sent because the time ends. */
  private handedIn = 0;
  /** The state before the first text was sent because the time ends. */
  private before: RoomState | null = null;

  constructor(private readonly options: InterviewOptions) {
    const { sessionId, api, worklet, language, drafts, flush } = options;
    const { room } = this;
    this.speech = new Speech({ room, sessionId, worklet, language, client: () => this.client });
    this.written = new WrittenAnswers({
      ...{ room, drafts, api, flush },
      send: (text, message) => this.client.answer(text, message),
    });
    this.client = new InterviewClient({
      url: () => this.url(),
      recorded: (ids) => recordedOf(api, sessionId, ids),
      deviceId: options.deviceId,
      on: {
        state: (state) => {
          if (state.name === 'ended') void this.ended(state.by);
          else room.take({ type: 'connection', name: state.name });
        },
        session: ({ audio, expiresAt, language }) => {
          room.take({ type: 'session', audio, expiresAt, language });
          void this.written.askWhatWasRecorded();
        },
        question: ({ turn, kind, preface, text, number, of }) => {
          const maxDurationMs = this.client.session?.limits.maxDurationMs ?? Number.MAX_SAFE_INTEGER;
          const now = serviceNow();
          room.take({ type: 'question', turn, kind, preface, text, number, of, now, maxDurationMs });
          this.speech.asked(turn, [preface, text].filter(Boolean).join('\n'));
        },
        transcript: ({ turn, text, source }) => {
          room.take({ type: 'answer', turn, text, source });
          this.written.turnClosed(turn, text);
        },
        skipped: ({ turn }) => {
          room.take({ type: 'skipped', turn });
          this.written.turnClosed(turn, '');
        },
        interrupted: () => room.take({ type: 'interviewer', speaks: false }),
        completed: ({ consistencyToken }) => api.readAfter(consistencyToken),
        speech: ({ turn, pcm }) => this.speech.play(turn, pcm),
        moment: (moment) => this.speech.moment(moment),
        problem: ({ code }) => room.take({ type: 'problem', code }),
      },
    });
  }

  /** What is shown. */
  get state(): ReadonlySignal<RoomState> {
    return this.room.state;
  }

  /** Connects, and watches the time. Called once. */
  start(): void {
    this.speech.start();
    this.client.start();
    this.timer = setInterval(() => this.watchTime(), TICK_MS);
  }

  /** Leaves without ending the interview. */
  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    this.written.close();
    this.speech.close();
    this.client.close();
  }

  /** How many activities are not sent. */
  get waiting(): number {
    return this.options.waiting();
  }

  /** Sends the answer to a question. @returns whether the service has it */
  async answer(turn: number, text: string, source: 'typed' | 'speech'): Promise<boolean> {
    this.speech.silence();
    return this.written.answer(turn, text, source);
  }

  /** The candidate does not answer the question. */
  skip(turn: number): void {
    if (isSending(this.room.now, 'skip', turn)) return;
    this.speech.silence();
    void this.room.counted({ action: 'skip', turn }, () =>
      this.options.flush().then(() => this.client.skip(turn)),
    );
  }

  /**
   * Ends the interview.
   * @param handIn sends what is written first; if that is refused, the interview does not end
   */
  async end(handIn: boolean): Promise<void> {
    this.speech.silence();
    const turn = this.room.now.exchanges.at(-1)?.turn ?? 1;
    if (isSending(this.room.now, 'end', turn)) return;
    await this.room.counted({ action: 'end', turn }, async () => {
      if (handIn && !(await this.handIn())) return NOT_HANDED_IN;
      await this.options.flush();
      return this.client.end();
    });
  }

  /** Sends what is written before the service ends the interview at its time. */
  private watchTime(): void {
    const { deadline, ended, exchanges } = this.room.now;
    if (deadline === null || ended !== null || exchanges.length === 0) return;
    const left = deadline - serviceNow();
    const due = HAND_IN_MS.filter((ms) => left <= ms).length;
    if (due > this.handedIn) void this.handIn();
    this.handedIn = due;
  }

  /** Ends the spoken answer, and sends what is written and not sent. @returns whether the service has the written part */
  private async handIn(): Promise<boolean> {
    this.before ??= this.room.now;
    this.speech.commitSpoken();
    return this.written.handIn();
  }

  /** The socket's address; `null`: the session is over. @throws {Error} the service does not answer */
  private async url(): Promise<string | null> {
    const { api, base, sessionId, token } = this.options;
    const read = api.get<OwnTrialSession>(`trial-sessions/${sessionId}`, { tries: 1 });
    const session = await read.catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (session === null || !isOpen(session)) return null;
    const idToken = await token();
    if (idToken === null) throw new Error('Nobody is signed in.');
    return `${base.replace(/^http/, 'ws')}interrogation/${sessionId}/socket?token=${idToken}`;
  }

  private async ended(by: NonNullable<RoomState['ended']>): Promise<void> {
    clearInterval(this.timer);
    this.speech.microphone.close();
    this.speech.silence();
    this.room.take({ type: 'ended', by });
    if (by !== 'completed' && by !== 'session_over') return;
    // A read of the session may be older than the messages of the socket.
    for (let waitMs = 250; !this.closed; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      const session = await this.options.api
        .get<OwnTrialSession>(`trial-sessions/${this.options.sessionId}`)
        .catch((error: unknown) => (isGone(error) ? undefined : null));
      if (session === undefined) {
        this.options.gone();
        return;
      }
      // Wait for the receipts: a message without one may have been recorded.
      if (session && !isOpen(session) && this.room.now.sending.length === 0) {
        await this.written.askWhatWasRecorded();
        this.options.over(session, this.before ? recordedSince(this.before, this.room.now) : []);
        return;
      }
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }
}

const NOT_HANDED_IN: Receipt = {
  acknowledged: false,
  ended: false,
  code: 'not_handed_in',
  sentence: 'What was written was not taken.',
};
