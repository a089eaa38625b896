import { signal } from '@preact/signals';
import { InterviewClient, type Receipt } from '../packages/interview-client/src/index.js';
import { isOpen } from './state.js';
import type { Api } from './api.js';
import { type Microphone, openMicrophone, type MicrophoneProblem, problemOf } from './audio/microphone.js';
import { Player } from './audio/player.js';
import { serviceNow } from './clock.js';
import { speak, stopSpeaking } from './audio/browser-speech.js';
import type { Kept } from './kept.js';
import type { Session } from './records.js';
import { EMPTY_ROOM, nextRoom, openExchange, type RoomEvent, type RoomState } from './room-state.js';

export interface InterviewOptions {
  readonly sessionId: string;
  readonly base: string;
  readonly api: Api;
  readonly token: () => Promise<string | null>;
  readonly worklet: string;
  readonly language: () => string;
  readonly kept: Kept;
  readonly deviceId: string;
  /** Sends what else was recorded: the last answer ends the session, which takes nothing more. */
  readonly flush: () => Promise<void>;
  /** The session as it is once the interview has ended. */
  readonly over: (session: Session) => void;
}

const MOST_WAIT_MS = 5_000;

/** An interview that is going on: what it shows, and what the candidate can do. */
export class Interview {
  readonly state = signal<RoomState>(EMPTY_ROOM);
  /** Of the microphone, from 0 to 1. */
  readonly level = signal(0);
  readonly microphone = signal<'off' | 'opening' | 'on' | 'muted'>('off');
  readonly microphoneProblem = signal<MicrophoneProblem | null>(null);
  /** Whether questions are heard; `blocked`: the browser waits for a touch. */
  readonly sound = signal<'on' | 'off' | 'blocked'>('on');

  private readonly client: InterviewClient;
  private readonly player: Player;
  private open: Microphone | null = null;
  private closed = false;

  constructor(private readonly options: InterviewOptions) {
    this.player = new Player((turn, playedMs) => this.client.playbackProgress(turn, playedMs));
    this.client = new InterviewClient({
      url: () => this.url(),
      deviceId: options.deviceId,
      on: {
        state: (state) => {
          if (state.name === 'ended') void this.ended(state.by);
          else this.take({ type: 'connection', name: state.name });
        },
        session: ({ audio, expiresAt }) => this.take({ type: 'session', audio, expiresAt }),
        question: ({ turn, kind, text }) => {
          const maxDurationMs = this.client.session?.limits.maxDurationMs ?? Number.MAX_SAFE_INTEGER;
          this.take({ type: 'question', turn, kind, text, now: serviceNow(), maxDurationMs });
          this.asked(turn, text);
        },
        transcript: ({ turn, text, source }) => {
          this.take({ type: 'answer', turn, text, source });
          if (openExchange(this.state.value) === null) this.keepDraft(turn, null);
        },
        interrupted: () => this.take({ type: 'interviewer', speaks: false }),
        completed: ({ consistencyToken }) => options.api.saw(consistencyToken),
        speech: ({ turn, pcm }) => {
          if (this.sound.value === 'on') this.player.play(turn, pcm);
        },
        moment: (moment) => {
          if (moment.type === 'transcript.partial') this.take({ type: 'caption', text: moment.text });
          else if (moment.type === 'interviewer.started') this.take({ type: 'interviewer', speaks: true });
          else if (moment.type === 'interviewer.done') this.whenSilent();
          else if (moment.type === 'speech.stopped') this.take({ type: 'heard', speech: false });
          else if (moment.type === 'speech.started') {
            this.take({ type: 'heard', speech: true });
            // Speaking over the interviewer stops it.
            if (this.player.playing) this.interrupt();
          }
        },
        problem: ({ code }) => this.take({ type: 'problem', code }),
      },
    });
  }

  start(): void {
    void this.player.allow().then((allowed) => {
      if (!allowed && this.sound.value === 'on') this.sound.value = 'blocked';
    });
    this.client.start();
  }

  /** Leaves without ending the interview. */
  close(): void {
    this.closed = true;
    this.closeMicrophone();
    this.silence();
    this.player.close();
    this.client.close();
  }

  draft(turn: number): string {
    return this.options.kept.get(this.draftName(turn)) ?? '';
  }

  /** What is being typed outlives a reload until the service has it. */
  keepDraft(turn: number, text: string | null): void {
    this.options.kept.set(this.draftName(turn), text === '' ? null : text);
  }

  /** @returns whether the service has the answer */
  async answer(turn: number, text: string, source: 'typed' | 'speech'): Promise<boolean> {
    this.silence();
    this.keepDraft(turn, text);
    const receipt = await this.counted(
      this.options.flush().then(() => this.client.answer(text, { turn, source })),
    );
    if (receipt.acknowledged) this.keepDraft(turn, null);
    return receipt.acknowledged;
  }

  /** A remark on an answer that was recorded before. */
  async correct(turn: number, text: string): Promise<boolean> {
    return (await this.counted(this.client.answer(text, { turn }))).acknowledged;
  }

  /** The spoken answer is over; without one, the question is skipped. */
  commit(turn: number): void {
    void this.counted(this.client.commit(turn));
  }

  /** Stops the interviewer's speech. */
  interrupt(): void {
    const turn = this.state.value.exchanges.at(-1)?.turn;
    const playedMs = this.silence();
    if (turn !== undefined && this.state.value.speech === 'server')
      void this.counted(this.client.interrupt(turn, playedMs));
  }

  async end(): Promise<void> {
    this.silence();
    await this.counted(this.options.flush().then(() => this.client.end()));
  }

  async soundOn(): Promise<void> {
    this.sound.value = (await this.player.allow()) ? 'on' : 'blocked';
    const current = openExchange(this.state.value);
    if (current && this.state.value.speech === 'client') this.readAloud(current.question);
  }

  soundOff(): void {
    this.interrupt();
    this.sound.value = 'off';
  }

  async openMicrophone(): Promise<void> {
    this.microphone.value = 'opening';
    this.microphoneProblem.value = null;
    try {
      const opened = await openMicrophone(this.options.worklet, {
        sound: (pcm, level) => this.heard(pcm, level),
        lost: () => {
          this.open = null;
          this.microphone.value = 'off';
          this.microphoneProblem.value = 'unplugged';
        },
      });
      if (this.closed) {
        opened.close();
        return;
      }
      this.open = opened;
      this.microphone.value = 'on';
    } catch (error) {
      this.microphone.value = 'off';
      this.microphoneProblem.value = problemOf(error);
    }
  }

  mute(muted: boolean): void {
    if (this.open) this.microphone.value = muted ? 'muted' : 'on';
    this.level.value = 0;
  }

  closeMicrophone(): void {
    this.open?.close();
    this.open = null;
    this.microphone.value = 'off';
    this.level.value = 0;
  }

  private heard(pcm: Uint8Array, level: number): void {
    if (this.microphone.value !== 'on') return;
    this.level.value = level;
    const current = openExchange(this.state.value);
    if (current && this.state.value.transcription === 'server')
      this.client.audio(pcm, { turn: current.turn });
  }

  /** A question that was answered before this connection is not read again. */
  private asked(turn: number, text: string): void {
    if (this.state.value.speech !== 'client' || this.sound.value !== 'on') return;
    setTimeout(() => {
      if (openExchange(this.state.value)?.turn === turn && !this.closed) this.readAloud(text);
    }, 0);
  }

  private readAloud(text: string): void {
    this.take({ type: 'interviewer', speaks: true });
    speak(text, this.options.language(), () => this.take({ type: 'interviewer', speaks: false }));
  }

  private whenSilent(): void {
    if (!this.player.playing) this.take({ type: 'interviewer', speaks: false });
    else setTimeout(() => this.whenSilent(), 200);
  }

  /** @returns how much of the speech was heard, in milliseconds */
  private silence(): number {
    stopSpeaking();
    this.take({ type: 'interviewer', speaks: false });
    return this.player.stop();
  }

  private async counted(receipt: Promise<Receipt>): Promise<Receipt> {
    this.take({ type: 'sent' });
    const answer = await receipt;
    this.take({ type: 'receipt' });
    return answer;
  }

  private async url(): Promise<string | null> {
    const { api, base, sessionId, token } = this.options;
    if (!isOpen(await api.get<Session>(`trial-sessions/${sessionId}`, { tries: 1 }))) return null;
    const idToken = await token();
    if (idToken === null) throw new Error('Nobody is signed in.');
    return `${base.replace(/^http/, 'ws')}interrogation/${sessionId}/socket?token=${idToken}`;
  }

  private async ended(by: NonNullable<RoomState['ended']>): Promise<void> {
    this.closeMicrophone();
    this.silence();
    this.take({ type: 'ended', by });
    if (by !== 'completed' && by !== 'session_over') return;
    // What is read may lag behind what the socket tells.
    for (let waitMs = 250; !this.closed; waitMs = Math.min(2 * waitMs, MOST_WAIT_MS)) {
      const session = await this.options.api
        .get<Session>(`trial-sessions/${this.options.sessionId}`)
        .catch(() => null);
      if (session && !isOpen(session)) {
        this.options.over(session);
        return;
      }
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }

  private take(event: RoomEvent): void {
    this.state.value = nextRoom(this.state.value, event);
  }

  private draftName(turn: number): string {
    return `draft.${this.options.sessionId}.${turn}`;
  }
}
