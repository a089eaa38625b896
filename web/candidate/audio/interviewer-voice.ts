import { signal } from '@preact/signals';
import { speak, stopSpeaking } from './browser-speech.js';
import { Player } from './player.js';

const POLL_MS = 200;

/** The interviewer's speech: the service's, played as it arrives, or the browser's voice, which reads a question aloud. */
export class InterviewerVoice {
  /** Whether questions are heard; `blocked`: the browser waits for a touch. */
  readonly sound = signal<'on' | 'off' | 'blocked'>('on');
  private readonly player: Player;
  /** The turn whose speech was stopped: further pieces of it are not played. */
  private stopped = 0;
  private ending: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param progress how much of a turn's speech was played, in milliseconds
   * @param speaking whether the interviewer speaks now
   */
  constructor(
    progress: (turn: number, playedMs: number) => void,
    private readonly speaking: (speaks: boolean) => void,
  ) {
    this.player = new Player(progress, () => {
      this.sound.value = 'blocked';
      speaking(false);
    });
  }

  /** The service's speech is heard here now. */
  get isPlaying(): boolean {
    return this.player.playing;
  }

  /** Asks the browser to let the page play. */
  async start(): Promise<void> {
    const allowed = await this.player.allow();
    if (!allowed && this.sound.value === 'on') this.sound.value = 'blocked';
  }

  /** As `start`, at the candidate's request. @returns whether the sound can be heard */
  async turnOn(): Promise<boolean> {
    const allowed = await this.player.allow();
    this.sound.value = allowed ? 'on' : 'blocked';
    return allowed;
  }

  /** The service begins to speak a question. */
  begins(): void {
    this.stopped = 0;
    // The end of the former speech must not end this one.
    clearTimeout(this.ending);
    this.speaking(true);
  }

  /** A piece of a turn's speech. */
  play(turn: number, pcm: Uint8Array): void {
    if (this.sound.value === 'on' && turn !== this.stopped) this.player.play(turn, pcm);
  }

  /** All pieces have arrived: the speech ends once they have been played. */
  endsOncePlayed(): void {
    clearTimeout(this.ending);
    if (!this.player.playing) this.speaking(false);
    else this.ending = setTimeout(() => this.endsOncePlayed(), POLL_MS);
  }

  /** Speaks a text with the browser’s voice. */
  readAloud(text: string, language: string): void {
    this.speaking(true);
    speak(text, language, () => this.speaking(false));
  }

  /** Drops the pieces that have arrived and are not played. */
  restart(): void {
    this.player.stop();
  }

  /** Stops all speech. @returns how much of it was heard, in milliseconds */
  silence(): number {
    stopSpeaking();
    clearTimeout(this.ending);
    this.speaking(false);
    return this.player.stop();
  }

  /** Ignores further pieces of a turn's speech. */
  ignore(turn: number): void {
    this.stopped = turn;
  }

  /** Ends the sound for good. */
  close(): void {
    this.silence();
    this.player.close();
  }
}
