import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  type AudioFrame,
  BYTES_PER_MS,
  encodeAudioFrame,
  parseAudioFrame,
  SPEAKER,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import {
  type ClientMessage,
  PROTOCOL,
  type ServerMessage,
} from '../../../packages/interview-client/src/protocol/messages.js';
import { parseServerMessage } from '../../../packages/interview-client/src/protocol/parse.js';
import { say } from './programs.js';

/** How a spoken answer is ended. */
type Ending = 'silence' | 'commit' | 'flag';

/** One question with its spoken answer. */
interface SpokenTurn {
  readonly turn: number;
  readonly question: string;
  readonly said: string;
  readonly ending: Ending;
  /** The transcript that the server sent. */
  readonly understood: string;
  /** The interviewer's speech. */
  readonly heardMs: number;
}

export interface SpokenInterview {
  readonly turns: readonly SpokenTurn[];
  readonly messages: readonly ServerMessage[];
  /** The interviewer's frames, in the order in which they came. */
  readonly frames: readonly AudioFrame[];
  /** The seq of the last frame with speech: only silence follows it. */
  readonly lastSaidSeq: number;
  readonly closedWith: number;
}

const FRAME_MS = 40;
const WAIT_LIMIT_MS = 120_000;
const ENDINGS: readonly Ending[] = ['silence', 'commit', 'flag'];

/** Silence before and after speech, long enough to end the turn. */
const silence = (ms: number): Uint8Array => new Uint8Array(ms * BYTES_PER_MS);
/** The audio in frames of one length, the last one filled up with silence. */
const framed = (pcm: Uint8Array): readonly Uint8Array[] => {
  const size = FRAME_MS * BYTES_PER_MS;
  const count = Math.ceil(pcm.length / size);
  const whole = Buffer.concat([pcm], count * size);
  return Array.from({ length: count }, (_, at) => whole.subarray(at * size, (at + 1) * size));
};

/** A speaking client. It waits for the end of each question and answers with the next sentence, in real time. */
class SpeakingCandidate {
  readonly messages: ServerMessage[] = [];
  readonly frames: AudioFrame[] = [];
  readonly turns: SpokenTurn[] = [];
  lastSaidSeq = 0;
  private audioSeq = 0;
  closedWith: number | null = null;
  private changed: () => void = () => undefined;

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.hear(data);
      else this.take(data.toString('utf8'));
      this.changed();
    });
    socket.on('close', (code) => {
      this.closedWith = code;
      this.changed();
    });
    socket.on('error', () => undefined);
  }

  send(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Waits until `look` finds something in what was received. */
  async until<T>(what: string, look: () => T | undefined): Promise<T> {
    const deadline = performance.now() + WAIT_LIMIT_MS;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const left = deadline - performance.now();
      if (left < 0) throw new Error(`${what} did not come: ${JSON.stringify(this.messages.slice(-5))}.`);
      await Promise.race([sleep(left, null, { ref: false }), new Promise<void>((go) => (this.changed = go))]);
    }
  }

  of<T extends ServerMessage['type']>(type: T): readonly Extract<ServerMessage, { type: T }>[] {
    return this.messages.filter((one): one is Extract<ServerMessage, { type: T }> => one.type === type);
  }

  async answer(turn: number, sentence: string, ending: Ending): Promise<string> {
    const tail = ending === 'silence' ? 3_300 : 200;
    const said = Buffer.concat([silence(400), await say(sentence)]);
    const pieces = framed(Buffer.concat([said, silence(tail)]));
    this.lastSaidSeq = this.audioSeq + framed(said).length;
    const began = performance.now();
    for (const [index, pcm] of pieces.entries()) {
      await sleep(Math.max(0, began + index * FRAME_MS - performance.now()));
      const endOfTurn = ending === 'flag' && index === pieces.length - 1;
      this.audioSeq += 1;
      const timestampMs = Math.round(performance.now() - began);
      const { candidate: speaker } = SPEAKER;
      this.socket.send(encodeAudioFrame({ speaker, endOfTurn, turn, seq: this.audioSeq, timestampMs, pcm }));
    }
    if (ending === 'commit') this.send({ type: 'turn.commit', id: `commit-${turn}`, turn });
    const final = await this.until(`The transcript of turn ${turn}`, () =>
      this.of('transcript.final').find((one) => one.turn === turn),
    );
    return final.text;
  }

  private take(frame: string): void {
    const parsed = parseServerMessage(frame);
    if (parsed.kind === 'bad') throw new Error(`The server sent what is no message: ${parsed.problem}`);
    this.messages.push(parsed.message);
  }

  private hear(data: Buffer): void {
    const frame = parseAudioFrame(data, SPEAKER.interviewer);
    if (typeof frame === 'string') throw new Error(`The server sent what is no audio: ${frame}`);
    this.frames.push(frame);
  }
}

/**
 * Speaks a whole interview: one sentence for each question. In turn, an answer is ended by silence, by `turn.commit`
 * and by the last frame's flag.
 * @param url the socket's, with its token
 */
export const speakInterview = async (url: string, sentences: readonly string[]): Promise<SpokenInterview> => {
  const socket = new WebSocket(url);
  const candidate = new SpeakingCandidate(socket);
  try {
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    candidate.send({ type: 'client.ready', protocol: PROTOCOL });
    const { audio } = await candidate.until('session.ready', () => candidate.of('session.ready')[0]);
    for (let turn = 1; ; turn++) {
      const next = await candidate.until(`Question ${turn}`, () =>
        candidate.closedWith !== null ? 'over' : candidate.of('question').find((one) => one.turn === turn),
      );
      if (next === 'over') break;
      if (audio.speech === 'server')
        await candidate.until(`The end of question ${turn}`, () =>
          candidate.of('interviewer.done').find((one) => one.turn === turn),
        );
      const heard = candidate.frames.filter((frame) => frame.turn === turn);
      const heardMs = heard.reduce((sum, { pcm }) => sum + pcm.length / BYTES_PER_MS, 0);
      candidate.send({ type: 'playback.progress', turn, playedMs: Math.floor(heardMs) });
      const said = sentences[(turn - 1) % sentences.length] ?? '';
      const ending = ENDINGS[turn % ENDINGS.length] ?? 'silence';
      const understood = await candidate.answer(turn, said, ending);
      candidate.turns.push({ turn, question: next.text, said, ending, understood, heardMs });
    }
    const { turns, messages, frames, lastSaidSeq, closedWith } = candidate;
    return { turns, messages, frames, lastSaidSeq, closedWith: closedWith ?? 0 };
  } finally {
    socket.terminate();
  }
};
