import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  type ClientState,
  InterviewClient,
  type Receipt,
} from '../../packages/interview-client/src/index.js';
import type { ServerMessageOf } from '../../packages/interview-client/src/protocol/messages.js';
import type { KnownQuestion } from './ledger.js';
import type { Person } from './person.js';
import type { PlannedInterview, PlannedReply } from './plan-interview.js';
import { type Service, Unexpected } from './service.js';

/** A candidate's own record of an interview that is over. */
export interface Interviewed {
  readonly questions: readonly KnownQuestion[];
  /** The types of the activities that were done beside it. */
  readonly activities: readonly string[];
}

/** Longest time without a connection: a restart takes less. */
const GONE_AFTER_MS = 90_000;
const BACK_OFF = { firstMs: 100, mostMs: 2_000 };
/** Longest time without a question or the end. */
const STALLED_MS = 120_000;
/** Longer than it takes to replace a view's worker that died. */
const COMPLETED_SEEN_MS = 60_000;

/**
 * Holds an interview over its socket until the session is completed, or the candidate says nothing more.
 * @throws {Unexpected} it came to another end, or a message was refused
 */
export const playInterview = (
  service: Service,
  candidate: Person,
  trialSessionId: string,
  plan: PlannedInterview,
): Promise<Interviewed> => new InterviewPlay(service, candidate, trialSessionId, plan).play();

class InterviewPlay {
  private readonly questions: KnownQuestion[] = [];
  private readonly activities: string[] = [];
  private readonly receipts: Promise<Receipt>[] = [];
  private readonly client: InterviewClient;
  private socket: WebSocket | null = null;
  private connections = 0;
  private completed = false;
  private stalled: NodeJS.Timeout | null = null;
  private over: (state: Extract<ClientState, { name: 'ended' }>) => void = () => undefined;
  /** The candidate says nothing more. */
  private left: () => void = () => undefined;

  constructor(
    private readonly service: Service,
    private readonly candidate: Person,
    private readonly trialSessionId: string,
    private readonly plan: PlannedInterview,
  ) {
    const keep = (socket: WebSocket): void => void (this.socket = socket);
    this.client = new InterviewClient({
      url: () => this.url(),
      WebSocket: class extends WebSocket {
        constructor(url: string) {
          super(url);
          keep(this);
        }
      },
      deviceId: candidate.email,
      backOff: BACK_OFF,
      giveUpAfterMs: GONE_AFTER_MS,
      on: {
        question: (question) => this.reply(question),
        completed: () => {
          this.completed = true;
        },
        state: (state) => {
          if (state.name === 'ended') this.over(state);
        },
      },
    });
  }

  async play(): Promise<Interviewed> {
    const { trialSessionId, client } = this;
    const ended = new Promise<Extract<ClientState, { name: 'ended' }> | null>((resolve) => {
      this.over = resolve;
      this.left = () => resolve(null);
    });
    this.awaitMore();
    client.start();
    const end = await ended;
    if (end === null) return { questions: this.questions, activities: this.activities };
    const { by, sentence } = end;
    clearTimeout(this.stalled ?? undefined);
    if (by !== 'completed' && by !== 'session_over')
      throw new Unexpected(`The interview of ${trialSessionId} came to no end: ${sentence}`);
    if (!this.completed) await this.seeCompleted();
    for (const receipt of await Promise.all(this.receipts))
      if (!receipt.acknowledged && !receipt.ended)
        throw new Unexpected(`The interview of ${trialSessionId} refused a message: ${receipt.sentence}`);
    // A reply without a receipt was sent before the message that ended the session, so it is recorded all the same.
    return { questions: this.questions, activities: this.activities };
  }

  /**
   * The socket's address at the next process, with a fresh token; `null`: the session is completed, which a lost connection
   * may not have shown.
   */
  private async url(): Promise<string | null> {
    this.connections += 1;
    if (this.connections > 1 && (await this.status()) === 'completed') return null;
    const token = await this.candidate.freshToken();
    return `${this.service.socketAddress()}/interrogation/${this.trialSessionId}/socket?token=${token}`;
  }

  private reply({ questionId, turn, kind, text }: ServerMessageOf<'question'>): void {
    this.awaitMore();
    const { client, plan } = this;
    this.questions.push({ id: questionId, kind, text, answers: [] });
    if (plan.silentFrom === turn) {
      clearTimeout(this.stalled ?? undefined);
      this.left();
      return;
    }
    if (plan.endsAt === turn) {
      this.receipts.push(client.end());
      return;
    }
    const reply = plan.fitting?.(text) ?? plan.replies[(turn - 1) % plan.replies.length];
    if (reply === undefined) throw new RangeError('A plan has replies.');
    if (reply.drop === 'before') this.socket?.terminate();
    this.say(turn, reply);
    // After a moment, so that the reply may be on its way, recorded, or acknowledged already.
    if (reply.drop === 'behind') setTimeout(() => this.socket?.terminate(), text.length % 7);
  }

  private say(turn: number, { text, activity, afterthought, spoken = false, recording }: PlannedReply): void {
    if (activity) {
      const clientEventId = `interview-${turn}`;
      const event = {
        clientEventId,
        eventType: 'page.shown',
        occurredAt: new Date().toISOString(),
        payload: {},
      };
      this.receipts.push(this.client.activity([event]));
      this.activities.push(event.eventType);
    }
    if (afterthought !== null && turn > 1) this.answer(turn - 1, afterthought, false);
    if (recording === undefined) this.answer(turn, text, spoken);
    else this.speak(turn, text, recording);
  }

  private speak(turn: number, text: string, recording: Uint8Array): void {
    if (!this.client.audio(recording, { turn }))
      throw new RangeError(`The recording of "${text}" is too long.`);
    this.receipts.push(this.client.commit(turn));
    this.answered(turn, text);
  }

  private answer(turn: number, text: string, spoken: boolean): void {
    this.receipts.push(this.client.answer(text, { turn, source: spoken ? 'speech' : 'typed' }));
    this.answered(turn, text);
  }

  private answered(turn: number, text: string): void {
    const question = this.questions[turn - 1];
    if (question === undefined) throw new RangeError('Turns are counted from 1, without a gap.');
    this.questions[turn - 1] = { ...question, answers: [...question.answers, text] };
  }

  private awaitMore(): void {
    clearTimeout(this.stalled ?? undefined);
    this.stalled = setTimeout(() => {
      this.over({ name: 'ended', by: 'unreachable', sentence: `No question in ${STALLED_MS / 1000} s.` });
      this.client.close();
    }, STALLED_MS);
  }

  /** Waits until the service answers that the session is completed: its views may follow after the interview's end. */
  private async seeCompleted(): Promise<void> {
    const until = performance.now() + COMPLETED_SEEN_MS;
    let status = await this.status();
    while (status !== 'completed' && performance.now() < until) {
      await sleep(BACK_OFF.firstMs);
      status = await this.status();
    }
    if (status !== 'completed')
      throw new Unexpected(
        `The session ${this.trialSessionId} is ${status}, ${COMPLETED_SEEN_MS / 1000} s after its interview.`,
      );
  }

  private async status(): Promise<string> {
    const params = { trialSessionId: this.trialSessionId };
    return (await this.candidate.get('/trial-sessions/{trialSessionId}', { params })).status;
  }
}
