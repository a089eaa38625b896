import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import {
  encodeAudioFrame,
  parseAudioFrame,
  SPEAKER,
} from '../../packages/interview-client/src/protocol/audio-frame.js';
import type { ClientMessage, ServerMessage } from '../../packages/interview-client/src/protocol/messages.js';
import { parseClientMessage } from '../../packages/interview-client/src/protocol/parse.js';
import { uuid } from '../support/given-when-then.js';

type Fact = Extract<ServerMessage, { seq: number }>;
type Recorded =
  | { readonly kind: 'message'; readonly message: Exclude<ClientMessage, { type: 'client.ready' | 'ping' }> }
  | { readonly kind: 'audio'; readonly turn: number; readonly pcm: Uint8Array };

export interface ModelOptions {
  readonly questions: number;
  /** Called before and after each frame in either direction. If it returns true, the connection breaks there. */
  readonly cut?: () => boolean;
  /** How many frames of audio are buffered before they are durable. A cut loses the buffered frames. */
  readonly audioFlush?: number;
  /** A flaw: every nth answer is acknowledged and never stored. */
  readonly loseAnswerEvery?: number;
  /** Every nth audio frame is dropped, as by a service that is overloaded. */
  readonly dropAudioEvery?: number;
}

/** A model of the socket's protocol for one session, in memory: clients are tested against it. */
export class ModelInterview {
  /** The durable facts, in the order in which they became durable. */
  readonly log: Recorded[] = [];
  readonly facts: Fact[] = [];
  connections = 0;
  completed = false;
  private readonly ids = new Set<string>();
  private line: WebSocket | null = null;
  private taken: Extract<Recorded, { kind: 'audio' }>[] = [];
  private durableSeq = 0;
  private frames = 0;
  private answered = 0;
  private turn = 0;

  constructor(private readonly options: ModelOptions) {}

  /** A connection whose upgrade was allowed. */
  accept(socket: WebSocket): void {
    let ready = false;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, binary) => {
      if (ready && this.line !== socket) return;
      if (this.cuts(socket)) return;
      if (binary) this.audio(data);
      else {
        const parsed = parseClientMessage(data.toString());
        if (parsed.kind === 'bad') throw new Error(`The client sent nonsense: ${parsed.problem}`);
        if (parsed.message.type === 'client.ready') {
          ready = true;
          this.open(socket, parsed.message.resumeFromSeq ?? 0);
        } else if (parsed.message.type === 'ping') this.say({ type: 'pong' });
        else this.message(parsed.message);
      }
      this.cuts(socket);
    });
  }

  /** The facts as an evaluation shows them. */
  questions(): object[] {
    return this.facts.flatMap((fact) => {
      if (fact.type !== 'question') return [];
      const texts = this.log.flatMap((one) =>
        one.kind === 'message' && one.message.type === 'message.text' && one.message.turn === fact.turn
          ? [one.message.text]
          : [],
      );
      const answer = texts.length === 0 ? null : texts.filter((text) => text !== '').join('\n');
      return [{ id: fact.questionId, kind: fact.kind, text: fact.text, answer, request: null }];
    });
  }

  /** The activities that were sent during the interview. */
  activities(): object[] {
    return this.log.flatMap((one) =>
      one.kind === 'message' && one.message.type === 'activity' ? (one.message.events as object[]) : [],
    );
  }

  private open(socket: WebSocket, resumeFromSeq: number): void {
    this.connections += 1;
    this.line?.terminate();
    this.line = socket;
    this.taken = [];
    this.say({
      type: 'session.ready',
      connectionId: randomUUID(),
      lastSeq: this.facts.at(-1)?.seq ?? 0,
      lastAudioSeq: this.durableSeq,
      audio: { transcription: 'server', speech: 'server', recorded: false },
      limits: {
        maxFrameBytes: 32_768,
        maxTextBytes: 16_384,
        idleMs: 45_000,
        resumeMs: 120_000,
        maxDurationMs: 1,
      },
      expiresAt: new Date().toISOString(),
    });
    for (const fact of this.facts) if (fact.seq > resumeFromSeq) this.say(fact);
    if (this.completed) this.finish();
    else if (this.turn === 0) this.ask();
  }

  private message(message: Exclude<ClientMessage, { type: 'client.ready' | 'ping' }>): void {
    if (message.type === 'playback.progress' || message.type === 'question.repeat') return;
    if (!this.ids.has(message.id)) {
      this.flush();
      this.ids.add(message.id);
      if (message.type === 'message.text') this.answered += 1;
      const lost =
        message.type === 'message.text' && this.answered % (this.options.loseAnswerEvery ?? Infinity) === 0;
      if (!lost) this.log.push({ kind: 'message', message });
      this.apply(message);
    }
    this.say({ type: 'ack', id: message.id });
    if (this.completed) this.finish();
  }

  private apply(message: Extract<ClientMessage, { id: string }>): void {
    if (message.type === 'interrupt')
      this.fact({ type: 'interrupted', turn: message.turn, playedMs: message.playedMs });
    if (message.type === 'session.end') this.end('ended');
    if (message.type === 'turn.skip') {
      this.fact({ type: 'turn.skipped', turn: message.turn, questionId: uuid(`q${message.turn}`) });
      this.goOn(message.turn);
    }
    if (message.type !== 'message.text' && message.type !== 'turn.commit') return;
    const spoken = message.type === 'turn.commit';
    const { turn } = message;
    this.fact({
      type: 'transcript.final',
      turn,
      questionId: uuid(`q${turn}`),
      text: spoken ? 'heard' : message.text,
      source: spoken ? 'transcribed' : (message.source ?? 'typed'),
    });
    this.goOn(turn);
  }

  private goOn(turn: number): void {
    if (turn !== this.turn) return;
    if (turn < this.options.questions) this.ask();
    else this.end('finished');
  }

  private audio(data: Buffer): void {
    const frame = parseAudioFrame(data, SPEAKER.candidate);
    if (typeof frame === 'string') throw new Error(`The client sent nonsense: ${frame}`);
    const lastSeq = this.durableSeq + this.taken.length;
    if (frame.seq <= lastSeq) return;
    this.frames += 1;
    const dropped = this.frames % (this.options.dropAudioEvery ?? Infinity) === 0;
    if (dropped || frame.seq > lastSeq + 1) {
      this.say({ type: 'error', code: 'audio_gap', error: 'Audio is missing.', fatal: false });
      this.say({ type: 'audio.ack', lastAudioSeq: lastSeq });
      return;
    }
    this.taken.push({ kind: 'audio', turn: frame.turn, pcm: Uint8Array.from(frame.pcm) });
    if (frame.endOfTurn || this.taken.length >= (this.options.audioFlush ?? 1)) this.flush();
  }

  private flush(): void {
    if (this.taken.length === 0) return;
    this.log.push(...this.taken);
    this.durableSeq += this.taken.length;
    this.taken = [];
    this.say({ type: 'audio.ack', lastAudioSeq: this.durableSeq });
  }

  private ask(): void {
    this.turn += 1;
    const turn = this.turn;
    const kind = turn === this.options.questions ? 'closing' : 'planned';
    this.fact({ type: 'question', turn, questionId: uuid(`q${turn}`), kind, text: `Question ${turn}?` });
    const pcm = new Uint8Array(640).fill(turn);
    const speech = { speaker: SPEAKER.interviewer, endOfTurn: true, turn, seq: turn, timestampMs: 0, pcm };
    this.send(encodeAudioFrame(speech));
  }

  private end(reason: 'finished' | 'ended'): void {
    this.completed = true;
    this.fact({ type: 'session.completed', reason, consistencyToken: 'token' });
  }

  private finish(): void {
    this.line?.close(1000);
    this.line = null;
  }

  /** Sequence numbers have gaps, since the stream has other events between the facts. */
  private fact(fact: Fact extends infer F ? (F extends Fact ? Omit<F, 'seq'> : never) : never): void {
    const numbered = { ...fact, seq: (this.facts.at(-1)?.seq ?? 0) + 3 };
    this.facts.push(numbered);
    this.say(numbered);
  }

  private say(message: ServerMessage): void {
    this.send(JSON.stringify(message));
  }

  private send(frame: string | Uint8Array): void {
    const { line } = this;
    if (line === null || this.cuts(line)) return;
    line.send(frame);
  }

  private cuts(socket: WebSocket): boolean {
    if (socket.readyState !== WebSocket.OPEN) return true;
    if (!(this.options.cut?.() ?? false)) return false;
    socket.terminate();
    return true;
  }
}
