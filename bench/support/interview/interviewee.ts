import { PROTOCOL } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Candidate } from './candidates.js';
import { Client } from './client.js';

/** Long and concrete enough that the interviewer asks no follow-up question. */
const ANSWER =
  'I moved the parser in src/parser.ts behind its own interface, wrote 12 tests that failed first, and measured that ' +
  'a file of 3 MB now takes 40 ms instead of 900 ms, because the lines are no longer copied one by one.';

/** A client's socket under load, of our service or of a bare one. */
export interface Speaking {
  readonly client: Client;
  /** Answers the open question with a text. Ends with what comes of it: the next one, or its echo. */
  write(): Promise<void>;
}

/** A candidate in an interview of ours. */
export class Interviewee implements Speaking {
  private ids = 0;

  private constructor(
    readonly client: Client,
    private turn: number,
  ) {}

  static async open({ socket }: Candidate): Promise<Interviewee> {
    const client = await Client.open(socket);
    const question = client.next(({ type }) => type === 'question');
    client.send({ type: 'client.ready', protocol: PROTOCOL });
    const { turn } = await question;
    return new Interviewee(client, Number(turn));
  }

  async write(): Promise<void> {
    const next = this.client.next(({ type, turn }) => type === 'question' && turn === this.turn + 1);
    this.client.send({ type: 'message.text', id: `a${++this.ids}`, turn: this.turn, text: ANSWER });
    await next;
    this.turn += 1;
  }
}

/** The same to bare `ws`. */
export class Echoed implements Speaking {
  private constructor(readonly client: Client) {}

  static async open(url: string): Promise<Echoed> {
    return new Echoed(await Client.open(url));
  }

  async write(): Promise<void> {
    const echo = this.client.next(({ type }) => type === 'message.text');
    this.client.send({ type: 'message.text', id: 'a1', turn: 1, text: ANSWER });
    await echo;
  }
}
