import { WebSocket } from 'ws';
import { InterviewClient, type Problem } from '../../packages/interview-client/src/index.js';
import { SAMPLE_RATE } from '../../packages/interview-client/src/protocol/audio-frame.js';
import type { ServerMessageOf } from '../../packages/interview-client/src/protocol/messages.js';

/** A candidate with the reference client over real sockets. Its fields hold what was received, in that order. */
export class Interviewee {
  readonly questions: ServerMessageOf<'question'>[] = [];
  readonly transcripts: ServerMessageOf<'transcript.final'>[] = [];
  readonly problems: Problem[] = [];
  readonly sessions: ServerMessageOf<'session.ready'>[] = [];
  completed: ServerMessageOf<'session.completed'> | null = null;
  readonly client: InterviewClient;
  private wake: () => void = () => undefined;

  /** Connects at once. @param url called for each connection */
  constructor(url: () => string, deviceId?: string) {
    const changed = (): void => this.wake();
    this.client = new InterviewClient({
      url: async () => {
        const address = url();
        const { status } = await read<{ status: string }>(address, '');
        return ['completed', 'expired', 'withdrawn'].includes(status) ? null : address;
      },
      recorded: (ids) => read(url(), `/receipts?${ids.map((id) => `id=${id}`).join('&')}`),
      WebSocket: WebSocket,
      backOff: { firstMs: 20, mostMs: 400 },
      ...(deviceId !== undefined && { deviceId }),
      on: {
        session: (session) => this.sessions.push(session),
        question: (question) => {
          this.questions.push(question);
          changed();
        },
        transcript: (transcript) => {
          this.transcripts.push(transcript);
          changed();
        },
        completed: (completed) => {
          this.completed = completed;
          changed();
        },
        problem: (problem) => this.problems.push(problem),
        state: changed,
      },
    });
    this.client.start();
  }

  /** Waits for the question of a turn; `null`: the interview has ended before. @throws {Error} after a minute */
  async question(turn: number): Promise<ServerMessageOf<'question'> | null> {
    await this.until(() => this.questions.some((one) => one.turn === turn) || this.isOver);
    return this.questions.find((one) => one.turn === turn) ?? null;
  }

  async transcript(turn: number): Promise<string> {
    await this.until(() => this.transcripts.some((one) => one.turn === turn) || this.isOver);
    const found = this.transcripts.find((one) => one.turn === turn);
    if (!found) throw new Error(`The interview ended before the transcript of turn ${turn}.`);
    return found.text;
  }

  get isOver(): boolean {
    return this.completed !== null || this.client.state.name === 'ended';
  }

  async over(): Promise<void> {
    await this.until(() => this.isOver);
  }

  private async until(holds: () => boolean): Promise<void> {
    const last = performance.now() + 60_000;
    while (!holds()) {
      if (performance.now() > last)
        throw new Error(
          `Nothing more came in a minute: ${JSON.stringify([this.questions, this.transcripts, this.problems, this.client.state])}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

/** Reads the candidate's session by REST. @param socketUrl has the service, the session and the token */
const read = async <T>(socketUrl: string, path: string): Promise<T> => {
  const { protocol, host, pathname, searchParams } = new URL(socketUrl);
  const [, , sessionId] = pathname.split('/');
  const answer = await fetch(
    `${protocol.replace('ws', 'http')}//${host}/trial-sessions/${sessionId}${path}`,
    {
      headers: { authorization: `Bearer ${searchParams.get('token')}` },
    },
  );
  if (!answer.ok) throw new Error(`${answer.status}`);
  return (await answer.json()) as T;
};

/** PCM that the voice detector takes for syllables, different for each seed. */
export const babble = (ms: number, seed: number): Buffer => {
  const pcm = Buffer.alloc((SAMPLE_RATE / 1000) * ms * 2);
  let state = seed * 2_654_435_761 + 1;
  for (let at = 0; at < pcm.length / 2; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    const loud = at % (SAMPLE_RATE * 0.24) < SAMPLE_RATE * 0.18;
    pcm.writeInt16LE(Math.trunc((state >> 16) / (loud ? 4 : 2_000)), at * 2);
  }
  return pcm;
};
