import { signal } from '@preact/signals';
import { InterviewClient, type Moment, type Receipt } from '../packages/interview-client/src/index.js';
import { isOpen } from './state.js';
import type { Api } from './api.js';
import { CandidateMicrophone } from './audio/candidate-microphone.js';
import { InterviewerVoice } from './audio/interviewer-voice.js';
import { serviceNow } from './clock.js';
import { type Draft, type Drafts, recordedOf } from './drafts.js';
import { forTab } from './kept.js';
import { ANSWER_LIMIT, hasVisible, partsOf, wellFormed } from './limits.js';
import type { OwnTrialSession } from '../packages/client/src/contract.js';
import {
  EMPTY_ROOM,
  isSending,
  nextRoom,
  openExchange,
  type Recorded,
  recordedSince,
  type RoomEvent,
  type RoomState,
  type Sent,
} from './room-state.js';

export interface InterviewOptions {
  readonly sessionId: string;
  readonly base: string;
  readonly api: Api;
  readonly token: () => Promise<string | null>;
  readonly worklet: string;
  /** In which the interviewer speaks, unless the service tells it. */
  readonly language: () => string;
  readonly drafts: Drafts;
  readonly deviceId: string;
  /** Sends what else was recorded: the last answer ends the session, which takes nothing more. */
  readonly flush: () => Promise<void>;
  /** How much of that is not sent. */
  readonly waiting: () => number;
  /** The session as it is once the interview has ended, and what was recorded of that which was handed in. */
  readonly over: (session: OwnTrialSession, handedIn: readonly Recorded[]) => void;
}

const MAX_WAIT_MS = 5_000;
const LOOK_MS = 500;
/** So long before the end what is written is sent, and once more what is written after that. */
export const HAND_IN_MS = [8_000, 2_500] as const;

/** An interview that is going on: what it shows, and what the candidate can do. */
export class Interview {
  readonly state = signal<RoomState>(EMPTY_ROOM);
  readonly microphone: CandidateMicrophone;
  /** What is written and not sent. */
  readonly unsent = signal<readonly Draft[]>([]);

  private readonly client: InterviewClient;
  private readonly voice: InterviewerVoice;
  private closed = false;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** How often what is written was sent because the time ends. */
  private handedIn = 0;
  /** As it was before anything was handed in. */
  private before: RoomState | null = null;

  constructor(private readonly options: InterviewOptions) {
    this.microphone = new CandidateMicrophone(
      options.worklet,
      (pcm) => this.heard(pcm),
      // No more audio comes that would tell of its end.
      () => this.take({ type: 'heard', speech: false }),
    );
    this.voice = new InterviewerVoice(
      (turn, playedMs) => this.client.playbackProgress(turn, playedMs),
      (speaks) => this.take({ type: 'interviewer', speaks }),
    );
    this.client = new InterviewClient({
      url: () => this.url(),
      recorded: (ids) => recordedOf(options.api, options.sessionId, ids),
      deviceId: options.deviceId,
      on: {
        state: (state) => {
          if (state.name === 'ended') void this.ended(state.by);
          else this.take({ type: 'connection', name: state.name });
        },
        session: ({ audio, expiresAt, language }) => {
          this.take({ type: 'session', audio, expiresAt, language });
          void this.settleDrafts();
        },
        question: ({ turn, kind, preface, text, number, of }) => {
          const maxDurationMs = this.client.session?.limits.maxDurationMs ?? Number.MAX_SAFE_INTEGER;
          const now = serviceNow();
          this.take({ type: 'question', turn, kind, preface, text, number, of, now, maxDurationMs });
          this.asked(turn, [preface, text].filter(Boolean).join('\n'));
        },
        transcript: ({ turn, text, source }) => {
          this.take({ type: 'answer', turn, text, source });
          this.turnClosed(turn, text);
        },
        skipped: ({ turn }) => {
          this.take({ type: 'skipped', turn });
          this.turnClosed(turn, '');
        },
        interrupted: () => this.take({ type: 'interviewer', speaks: false }),
        completed: ({ consistencyToken }) => options.api.saw(consistencyToken),
        speech: ({ turn, pcm }) => this.voice.play(turn, pcm),
        moment: (moment) => this.moment(moment),
        problem: ({ code }) => this.take({ type: 'problem', code }),
      },
    });
    this.draftsChanged();
  }

  start(): void {
    void this.voice.start();
    this.client.start();
    this.timer = setInterval(() => this.watchTime(), LOOK_MS);
  }

  /** Leaves without ending the interview. */
  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    this.microphone.close();
    this.voice.close();
    this.client.close();
  }

  /** Whether questions are heard. */
  get sound(): InterviewerVoice['sound'] {
    return this.voice.sound;
  }

  /** How much of what was recorded beside the interview is not sent. */
  get waiting(): number {
    return this.options.waiting();
  }

  draft(turn: number, kind: Draft['kind'] = 'answer'): string {
    return this.options.drafts.of(turn, kind);
  }

  /** What is being typed outlives a reload until the service has it. */
  keepDraft(draft: Draft): void {
    // A recogniser's late result is dropped after a sign-out.
    if (this.closed) return;
    this.options.drafts.keep(draft);
    this.draftsChanged();
  }

  /** @returns whether the service has the answer */
  async answer(turn: number, text: string, source: 'typed' | 'speech'): Promise<boolean> {
    // Sent twice, the second one would be recorded as an addition.
    if (isSending(this.state.value, 'answer', turn)) return false;
    this.voice.silence();
    return this.hand({ turn, kind: 'answer', text }, [text], { source, after: () => this.options.flush() });
  }

  /** A remark on an answer that was recorded before. @returns whether the service has it */
  async correct(turn: number, text: string): Promise<boolean> {
    if (isSending(this.state.value, 'correction', turn)) return false;
    return this.hand({ turn, kind: 'correction', text }, [text]);
  }

  /** The spoken answer is over. */
  commit(turn: number): void {
    if (isSending(this.state.value, 'commit', turn)) return;
    void this.counted({ action: 'commit', turn }, () => this.client.commit(turn));
  }

  /** The candidate does not answer the question. */
  skip(turn: number): void {
    if (isSending(this.state.value, 'skip', turn)) return;
    this.voice.silence();
    void this.counted({ action: 'skip', turn }, () =>
      this.options.flush().then(() => this.client.skip(turn)),
    );
  }

  /** Stops the interviewer's speech. */
  interrupt(): void {
    const turn = this.state.value.exchanges.at(-1)?.turn;
    const playedMs = this.voice.silence();
    if (turn === undefined || this.state.value.speech !== 'server') return;
    this.voice.ignore(turn);
    void this.counted({ action: 'interrupt', turn }, () => this.client.interrupt(turn, playedMs));
  }

  /** Has the open question spoken again, from its beginning. */
  async repeat(): Promise<void> {
    const current = openExchange(this.state.value);
    if (this.state.value.speech === 'client') {
      // At once: some browsers speak only while they handle the touch.
      this.sound.value = 'on';
      if (current) this.readAloud(current.question);
      return;
    }
    const canBeHeard = await this.voice.turnOn();
    if (current === null || !canBeHeard) return;
    // What the service is still sending was not heard from its beginning.
    if (this.state.value.interviewerSpeaks) this.interrupt();
    else this.voice.restart();
    this.client.repeat(current.turn);
  }

  soundOff(): void {
    if (this.state.value.interviewerSpeaks) this.interrupt();
    else this.voice.silence();
    this.sound.value = 'off';
  }

  /**
   * Ends the interview.
   * @param handIn sends first what is written; if that is refused, the interview goes on
   */
  async end(handIn: boolean): Promise<void> {
    this.voice.silence();
    const turn = this.state.value.exchanges.at(-1)?.turn ?? 1;
    if (isSending(this.state.value, 'end', turn)) return;
    await this.counted({ action: 'end', turn }, async () => {
      if (handIn && !(await this.handIn())) return NOT_HANDED_IN;
      await this.options.flush();
      return this.client.end();
    });
  }

  private moment(moment: Moment): void {
    switch (moment.type) {
      case 'transcript.partial':
        this.take({ type: 'caption', text: moment.text });
        break;
      case 'transcript.pending':
        this.take({ type: 'transcribing', turn: moment.turn });
        break;
      case 'transcript.none':
        this.take({ type: 'problem', code: 'no_words' });
        break;
      case 'interviewer.started':
        this.voice.begins();
        break;
      case 'interviewer.done':
        this.voice.endsOncePlayed();
        break;
      case 'speech.stopped':
        this.take({ type: 'heard', speech: false });
        break;
      case 'speech.started':
        this.spoken = openExchange(this.state.value)?.turn ?? 0;
        this.take({ type: 'heard', speech: true });
        break;
      default:
    }
  }

  private heard(pcm: Uint8Array): void {
    // What is said before the next question comes belongs to the one before.
    const turn = this.state.value.exchanges.at(-1)?.turn;
    if (turn === undefined || this.state.value.transcription !== 'server') return;
    this.client.audio(pcm, { turn });
    // Speaking over the interviewer stops it; a short noise does not.
    if (this.voice.isPlaying && this.state.value.heard && this.microphone.speaks) this.interrupt();
  }

  /** A question that was answered before this connection is not read again. */
  private asked(turn: number, text: string): void {
    if (this.state.value.speech !== 'client' || this.sound.value !== 'on') return;
    setTimeout(() => {
      if (openExchange(this.state.value)?.turn === turn && !this.closed) this.readAloud(text);
    }, 0);
  }

  private readAloud(text: string): void {
    this.voice.readAloud(text, this.state.value.language ?? this.options.language());
  }

  /** A draft that is not what was recorded stays beside it. */
  private turnClosed(turn: number, text: string): void {
    this.options.drafts.closed(turn, wellFormed(text));
    this.draftsChanged();
  }

  /** What was sent before a reload has no receipt. */
  private async settleDrafts(): Promise<void> {
    await this.options.drafts.settle(this.options.api).catch(() => undefined);
    this.draftsChanged();
  }

  private draftsChanged(): void {
    this.unsent.value = this.options.drafts.all().filter(({ text }) => hasVisible(text));
  }

  /**
   * Sends a draft in so many messages. It ends once the service has them, unless it was changed meanwhile.
   * @returns whether the service has all of it
   */
  private async hand(
    draft: Draft,
    texts: readonly string[],
    { source = 'typed', after }: { source?: 'typed' | 'speech'; after?: () => Promise<void> } = {},
  ): Promise<boolean> {
    const { turn, kind } = draft;
    const parts = texts.map((text) => ({ id: crypto.randomUUID(), text }));
    this.keepDraft({ ...draft, sent: parts });
    // In this order they are sent.
    const receipts = parts.map(async ({ id, text }, at) => {
      const send = () => this.client.answer(wellFormed(text), { turn, source, id });
      const receipt = await this.counted({ action: at === 0 ? kind : 'correction', turn }, () =>
        after ? after().then(send) : send(),
      );
      if (receipt.acknowledged) this.options.drafts.recorded([id]);
      return receipt.acknowledged;
    });
    const saved = await Promise.all(receipts);
    this.draftsChanged();
    return saved.every(Boolean);
  }

  private async counted(sent: Sent, send: () => Promise<Receipt>): Promise<Receipt> {
    this.take({ type: 'sent', ...sent });
    const receipt = await send();
    this.take({ type: 'receipt', receipt, ...sent });
    return receipt;
  }

  /** The service ends the interview at its time: what was written by then is sent before. */
  private watchTime(): void {
    const { deadline, ended, exchanges } = this.state.value;
    if (deadline === null || ended !== null || exchanges.length === 0) return;
    const left = deadline - serviceNow();
    const due = HAND_IN_MS.filter((ms) => left <= ms).length;
    if (due > this.handedIn) void this.handIn();
    this.handedIn = due;
  }

  /** Sends what is written and not sent, or ends what is said. @returns whether the service has it */
  private async handIn(): Promise<boolean> {
    this.before ??= this.state.value;
    const open = openExchange(this.state.value);
    const drafts = this.unsent.value.filter(
      ({ turn, kind }) =>
        !isSending(this.state.value, kind, turn) && (kind === 'correction' || turn === open?.turn),
    );
    // Before the text, which would end the turn without it.
    if (open && this.spoken === open.turn) this.commit(open.turn);
    const saved = await Promise.all(
      drafts.map((draft) => this.hand(draft, partsOf(wellFormed(draft.text.trim()), ANSWER_LIMIT))),
    );
    return saved.every(Boolean);
  }

  /** The turn in which the candidate was heard, also before a reload. */
  private get spoken(): number {
    return Number(forTab.get(`spoken.${this.options.sessionId}`) ?? 0);
  }

  private set spoken(turn: number) {
    forTab.set(`spoken.${this.options.sessionId}`, `${turn}`);
  }

  private async url(): Promise<string | null> {
    const { api, base, sessionId, token } = this.options;
    if (!isOpen(await api.get<OwnTrialSession>(`trial-sessions/${sessionId}`, { tries: 1 }))) return null;
    const idToken = await token();
    if (idToken === null) throw new Error('Nobody is signed in.');
    return `${base.replace(/^http/, 'ws')}interrogation/${sessionId}/socket?token=${idToken}`;
  }

  private async ended(by: NonNullable<RoomState['ended']>): Promise<void> {
    clearInterval(this.timer);
    this.microphone.close();
    this.voice.silence();
    this.take({ type: 'ended', by });
    if (by !== 'completed' && by !== 'session_over') return;
    // What is read may lag behind what the socket tells.
    for (let waitMs = 250; !this.closed; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      const session = await this.options.api
        .get<OwnTrialSession>(`trial-sessions/${this.options.sessionId}`)
        .catch(() => null);
      // What was sent last may have been recorded: until the client knows, nothing is told of it.
      if (session && !isOpen(session) && this.state.value.unsaved === 0) {
        await this.settleDrafts();
        this.options.over(session, this.before ? recordedSince(this.before, this.state.value) : []);
        return;
      }
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }

  private take(event: RoomEvent): void {
    this.state.value = nextRoom(this.state.value, event);
  }
}

const NOT_HANDED_IN: Receipt = {
  acknowledged: false,
  ended: false,
  code: 'not_handed_in',
  sentence: 'What was written was not taken.',
};
