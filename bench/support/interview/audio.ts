import { setTimeout as sleep } from 'node:timers/promises';
import type { Candidate, Employer } from './candidates.js';
import { type Burst, burst } from './frames.js';
import { Echoed, Interviewee, type Speaking } from './interviewee.js';

export const SOCKETS = 200;
/** 8 s of speech for each answer, less than may come at once. */
const FRAMES = 400;
/** Wait until the views have caught up with the answers that open the next turn. */
const SETTLE_MS = 1_000;
/** Different answers: neighbouring sockets send different ones, so that a mixed-up recording is detected. */
const VARIANTS = 4;

/** Sockets that all answer at once. */
export class Choir {
  private turn = 0;
  private readonly said: (readonly Burst[])[] = [];

  constructor(readonly sockets: readonly Speaking[]) {}

  static async ofOurs(invited: readonly Candidate[]): Promise<Choir> {
    return new Choir(await openAll(invited, (candidate) => Interviewee.open(candidate)));
  }

  static async ofSink(url: string): Promise<Choir> {
    return new Choir(await openAll(Array.from({ length: SOCKETS }), () => Echoed.open(url)));
  }

  /**
   * Every socket sends its answer, a frame each by turns, as fast as the server takes them. The time ends when the server
   * has all frames; the next turn is opened after that.
   * @returns frames a second
   */
  async sing(): Promise<number> {
    this.turn += 1;
    const variants = Array.from({ length: VARIANTS }, () => burst(this.turn, FRAMES));
    this.said.push(variants);
    const lines = this.sockets.map(({ client }, index) => ({ client, said: this.saidBy(index, this.turn) }));
    const began = performance.now();
    const done = Promise.all(
      lines.map(({ client, said }) =>
        client.next(({ type, lastAudioSeq }) => type === 'audio.ack' && lastAudioSeq === said.lastSeq),
      ),
    );
    const sent = Promise.all(
      lines.map(async ({ client, said }) => {
        for (const frame of said.frames) await client.sendFrame(frame);
      }),
    );
    await Promise.all([sent, done]);
    const seconds = (performance.now() - began) / 1_000;
    await Promise.all(this.sockets.map((socket) => socket.write()));
    await sleep(SETTLE_MS);
    return (SOCKETS * FRAMES) / seconds;
  }

  get turns(): number {
    return this.turn;
  }

  /** The answer that one of the sockets sent in a turn. */
  saidBy(index: number, turn: number): Burst {
    const said = this.said[turn - 1]?.[index % VARIANTS];
    if (!said) throw new Error(`Nothing was said in turn ${turn}.`);
    return said;
  }

  close(): void {
    for (const { client } of this.sockets) client.close();
  }
}

const AT_ONCE = 20;

const openAll = async <From, To>(of: readonly From[], open: (one: From) => Promise<To>): Promise<To[]> => {
  const opened: To[] = [];
  for (let at = 0; at < of.length; at += AT_ONCE)
    opened.push(...(await Promise.all(of.slice(at, at + AT_ONCE).map(open))));
  return opened;
};

/** A WAV file's samples: ours have a header of 44 bytes. */
const WAV_HEADER = 44;

/**
 * Compares what the service keeps of a turn with what was sent, byte by byte.
 * @throws {Error} something was lost, doubled or out of order
 */
export const compareRecording = async (
  { url, id, token }: Employer,
  { sessionId }: Candidate,
  { turn, pcm }: Burst,
): Promise<void> => {
  const path = `${url}/organisations/${id}/trial-sessions/${sessionId}/audio/${turn}`;
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const wav = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${path}: ${wav.toString('utf8')}`);
  if (!wav.subarray(WAV_HEADER).equals(pcm))
    throw new Error(`Turn ${turn} of ${sessionId} is not kept as it was said.`);
};
