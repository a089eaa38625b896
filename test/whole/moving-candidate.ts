import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { InterviewClient, type Receipt } from '../../packages/interview-client/src/index.js';
import type { ServerMessageOf } from '../../packages/interview-client/src/protocol/messages.js';
import { babble } from '../support/interviewee.js';

/** A transcriber whose text is the hash of the audio: it shows whether a byte is missing, double or misplaced. */
export const HASHING = { TRANSCRIBER: 'command', TRANSCRIBER_COMMAND: 'sha256sum | cut -c 1-64' };
export const hashOf = (pcm: Uint8Array): string => createHash('sha256').update(pcm).digest('hex');

const FRAME_MS = 40;
/** 16 kHz, 16 bits, mono. */
const BYTES_PER_MS = 32;
/** Bytes of a frame, as the client sends them. */
export const FRAME_BYTES = BYTES_PER_MS * FRAME_MS;
/** Longest wait for a question. */
const WAIT_MS = 60_000;

/** A speaking candidate of a service whose processes start and stop. Its fields hold what the client received. */
export class MovingCandidate {
  readonly questions: ServerMessageOf<'question'>[] = [];
  /** Transcripts, by turn. */
  readonly understood = new Map<number, string>();
  /** The audio that was sent, by turn. */
  readonly said = new Map<number, Buffer>();
  readonly problems: string[] = [];
  /** Connections on which the session was opened. */
  sessions = 0;
  /** How often the service asked it to connect elsewhere. */
  toldToGo = 0;
  /** Closing codes, by connection. */
  readonly closings: number[] = [];
  /** Why the interview was completed; `null`: it is not. */
  completed: string | null = null;
  readonly client: InterviewClient;

  /** @param stubborn ignores the notice to connect elsewhere, and keeps its connection until the service closes it */
  constructor(url: string, stubborn = false) {
    const told = (): void => {
      this.toldToGo++;
    };
    const closed = (code: number): void => void this.closings.push(code);
    this.client = new InterviewClient({
      url: () => url,
      WebSocket: class extends WebSocket {
        override emit(name: string | symbol, ...given: unknown[]): boolean {
          if (name === 'close') closed(given[0] as number);
          if (name === 'message' && given[1] === false && (given[0] as Buffer).includes('"go_away"')) {
            told();
            if (stubborn) return true;
          }
          return super.emit(name, ...given);
        }
      },
      backOff: { firstMs: 20, mostMs: 400 },
      on: {
        session: () => {
          this.sessions++;
        },
        question: (question) => this.questions.push(question),
        transcript: ({ turn, text }) => this.understood.set(turn, text),
        completed: ({ reason }) => void (this.completed = reason),
        problem: ({ code, sentence }) => this.problems.push(`${code}: ${sentence}`),
      },
    });
    this.client.start();
  }

  get isOver(): boolean {
    return this.completed !== null || this.client.state.name === 'ended';
  }

  /** Waits for a turn's question. @returns false: the interview is over before @throws after a minute */
  async asked(turn: number): Promise<boolean> {
    const last = performance.now() + WAIT_MS;
    while (!this.isOver && this.questions.length < turn) {
      if (performance.now() > last)
        throw new Error(`No turn ${turn} in a minute: ${this.problems.join(', ')}`);
      await sleep(10);
    }
    return this.questions.length >= turn;
  }

  /** Speaks in an open turn for `ms`, in real time. @param seed of the sound */
  async speak(turn: number, ms: number, seed: number): Promise<void> {
    const pcm = babble(ms, seed);
    this.said.set(turn, pcm);
    const began = performance.now();
    for (let at = 0; at < pcm.length; at += FRAME_BYTES) {
      this.client.audio(pcm.subarray(at, at + FRAME_BYTES), { turn });
      await sleep(Math.max(0, began + at / BYTES_PER_MS + FRAME_MS - performance.now()));
    }
  }

  commit(turn: number): Promise<Receipt> {
    return this.client.commit(turn);
  }

  /** Speaks an answer to each question until the interview is over. */
  async speakToTheEnd(seed: number): Promise<void> {
    for (let turn = 1; await this.asked(turn); turn++) {
      await this.speak(turn, 1_600 + ((seed + turn * 7) % 5) * 400, seed * 100 + turn);
      const receipt = await this.commit(turn);
      if (!receipt.acknowledged) throw new Error(`Turn ${turn} was not taken: ${receipt.sentence}`);
    }
  }
}
