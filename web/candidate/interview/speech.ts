import type { ReadonlySignal } from '@preact/signals';
import type { InterviewClient, Moment } from '../../../packages/interview-client/src/index.js';
import { tabStorage } from '../../shared/storage.js';
import { CandidateMicrophone } from '../audio/candidate-microphone.js';
import { InterviewerVoice } from '../audio/interviewer-voice.js';
import { isSending, openExchange, type RoomStore } from './room-state.js';

export interface SpeechOptions {
  readonly room: RoomStore;
  readonly sessionId: string;
  /** The address of `audio/worklet.ts`. */
  readonly worklet: string;
  /** The language in which questions are read aloud, unless the service names another. */
  readonly language: () => string;
  readonly client: () => Pick<
    InterviewClient,
    'audio' | 'commit' | 'interrupt' | 'playbackProgress' | 'repeat'
  >;
}

/**
 * What is spoken in an interview. The candidate's microphone is sent to the service if that turns speech into text;
 * the interviewer's questions come as sound from the service, or the browser reads them aloud.
 *
 * Call `start` first and `close` last. `asked`, `play` and `moment` take the service's messages; the other methods are
 * actions of the candidate.
 */
export class Speech {
  readonly microphone: CandidateMicrophone;
  private readonly voice: InterviewerVoice;
  private closed = false;

  constructor(private readonly options: SpeechOptions) {
    const { room, client } = options;
    this.microphone = new CandidateMicrophone(
      options.worklet,
      (pcm) => this.heard(pcm),
      // No more audio follows, so the service would not detect the end of the speech.
      () => room.take({ type: 'heard', speech: false }),
    );
    this.voice = new InterviewerVoice(
      (turn, playedMs) => client().playbackProgress(turn, playedMs),
      (speaks) => room.take({ type: 'interviewer', speaks }),
    );
  }

  /** Whether questions are heard; `blocked`: the browser waits for a touch. */
  get sound(): ReadonlySignal<'on' | 'off' | 'blocked'> {
    return this.voice.sound;
  }

  start(): void {
    void this.voice.start();
  }

  /** Ends microphone and sound for good. */
  close(): void {
    this.closed = true;
    this.microphone.close();
    this.voice.close();
  }

  /** The spoken answer is over. */
  commit(turn: number): void {
    const { room, client } = this.options;
    if (isSending(room.now, 'commit', turn)) return;
    void room.counted({ action: 'commit', turn }, () => client().commit(turn));
  }

  /** Ends the spoken answer to the open question, if there is one. Call it before a text, which ends the turn. */
  commitSpoken(): void {
    const open = openExchange(this.options.room.now);
    if (open && this.spokenTurn === open.turn) this.commit(open.turn);
  }

  /** Stops the sound only, without a message to the service. */
  silence(): void {
    this.voice.silence();
  }

  /** Stops the interviewer's speech. If the service sends it, reports to it how much was played. */
  interrupt(): void {
    const { room, client } = this.options;
    const turn = room.now.exchanges.at(-1)?.turn;
    const playedMs = this.voice.silence();
    if (turn === undefined || room.now.speech !== 'server') return;
    this.voice.ignore(turn);
    void room.counted({ action: 'interrupt', turn }, () => client().interrupt(turn, playedMs));
  }

  /** Has the open question spoken again, from its beginning. */
  async repeat(): Promise<void> {
    const { room, client } = this.options;
    const current = openExchange(room.now);
    if (room.now.speech === 'client') {
      // Before any wait, since some browsers let a page speak only while they handle the touch.
      this.voice.sound.value = 'on';
      if (current) this.readAloud(current.question);
      return;
    }
    const canBeHeard = await this.voice.turnOn();
    if (current === null || !canBeHeard) return;
    // The service still sends the former speech: interrupt it, so that the question is heard from its beginning.
    if (room.now.interviewerSpeaks) this.interrupt();
    else this.voice.restart();
    client().repeat(current.turn);
  }

  /** Mutes the interviewer, and interrupts what is being said. */
  soundOff(): void {
    if (this.options.room.now.interviewerSpeaks) this.interrupt();
    else this.voice.silence();
    this.voice.sound.value = 'off';
  }

  /** A question has come. One that was answered before this connection is not read again. */
  asked(turn: number, text: string): void {
    const { room } = this.options;
    if (room.now.speech !== 'client' || this.voice.sound.value !== 'on') return;
    setTimeout(() => {
      if (openExchange(room.now)?.turn === turn && !this.closed) this.readAloud(text);
    }, 0);
  }

  /** A piece of the interviewer's speech. */
  play(turn: number, pcm: Uint8Array): void {
    this.voice.play(turn, pcm);
  }

  /** Takes a message of the service about the candidate's or the interviewer's speech. */
  moment(moment: Moment): void {
    const { room } = this.options;
    switch (moment.type) {
      case 'transcript.partial':
        room.take({ type: 'caption', text: moment.text });
        break;
      case 'transcript.pending':
        room.take({ type: 'transcribing', turn: moment.turn });
        break;
      case 'transcript.none':
        room.take({ type: 'problem', code: 'no_words' });
        break;
      case 'interviewer.started':
        this.voice.begins();
        break;
      case 'interviewer.done':
        this.voice.endsOncePlayed();
        break;
      case 'speech.stopped':
        room.take({ type: 'heard', speech: false });
        break;
      case 'speech.started':
        this.spokenTurn = openExchange(room.now)?.turn ?? 0;
        room.take({ type: 'heard', speech: true });
        break;
      default:
    }
  }

  private heard(pcm: Uint8Array): void {
    const { room, client } = this.options;
    // Speech before the next question comes belongs to the previous question.
    const turn = room.now.exchanges.at(-1)?.turn;
    if (turn === undefined || room.now.transcription !== 'server') return;
    client().audio(pcm, { turn });
    // The candidate's speech interrupts the interviewer; a short noise does not.
    if (this.voice.isPlaying && room.now.heard && this.microphone.speaks) this.interrupt();
  }

  private readAloud(text: string): void {
    this.voice.readAloud(text, this.options.room.now.language ?? this.options.language());
  }

  /** The turn in which the candidate was heard, also before a reload; 0: none. */
  get spokenTurn(): number {
    return Number(tabStorage.get(`spoken.${this.options.sessionId}`) ?? 0);
  }

  private set spokenTurn(turn: number) {
    tabStorage.set(`spoken.${this.options.sessionId}`, `${turn}`);
  }
}
