import { signal } from '@preact/signals';
import {
  type Microphone,
  type MicrophoneHealth,
  openMicrophone,
  type MicrophoneProblem,
  problemOf,
} from './microphone.js';

/** Above this level somebody speaks. */
const VOICE = 0.015;
/** Speech if at least `voiced` of the last `pieces`, each of 40 ms, are loud: a cough or a door is shorter. */
const SPEECH = { pieces: 20, voiced: 12 };

/** The microphone of an interview, as the page shows it. */
export class CandidateMicrophone {
  /** From 0 to 1. */
  readonly level = signal(0);
  readonly state = signal<'off' | 'opening' | 'on' | 'muted'>('off');
  readonly problem = signal<MicrophoneProblem | null>(null);
  readonly health = signal<MicrophoneHealth>('live');
  private opened: Microphone | null = null;
  private readonly voiced: boolean[] = [];
  /** Counts calls of `open` and `close`: a microphone that opens after a later call is closed at once. */
  private attempts = 0;

  /** @param heard gets PCM while the microphone is on @param closed called once no more PCM comes */
  constructor(
    private readonly worklet: string,
    private readonly heard: (pcm: Uint8Array) => void,
    private readonly closed: () => void,
  ) {}

  /** Whether somebody speaks into it, for longer than a noise lasts. */
  get speaks(): boolean {
    return this.voiced.filter(Boolean).length >= SPEECH.voiced;
  }

  /** Asks the browser for the microphone. Never throws: `problem` says why it is not open. */
  async open(): Promise<void> {
    const attempt = (this.attempts += 1);
    this.state.value = 'opening';
    this.problem.value = null;
    this.health.value = 'live';
    try {
      const opened = await openMicrophone(this.worklet, {
        sound: (pcm, level) => this.take(pcm, level),
        health: (health) => {
          this.health.value = health;
          if (health !== 'live') this.level.value = 0;
        },
        lost: () => {
          this.close();
          this.problem.value = 'unplugged';
        },
      });
      if (attempt !== this.attempts) {
        opened.close();
        return;
      }
      this.opened = opened;
      this.state.value = 'on';
    } catch (error) {
      if (attempt !== this.attempts) return;
      this.state.value = 'off';
      this.problem.value = problemOf(error);
    }
  }

  /** Drops the sound until it is unmuted; the browser keeps the microphone open. */
  mute(muted: boolean): void {
    if (this.opened) this.state.value = muted ? 'muted' : 'on';
    this.level.value = 0;
  }

  /** Releases the microphone, also one that is still being opened. */
  close(): void {
    this.attempts += 1;
    this.opened?.close();
    this.opened = null;
    this.state.value = 'off';
    this.level.value = 0;
    this.voiced.length = 0;
    this.closed();
  }

  private take(pcm: Uint8Array, level: number): void {
    if (this.state.value !== 'on') return;
    this.level.value = level;
    this.voiced.push(level > VOICE);
    if (this.voiced.length > SPEECH.pieces) this.voiced.shift();
    this.heard(pcm);
  }
}
