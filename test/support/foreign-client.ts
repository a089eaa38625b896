import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Answered, openSocket, pathOf, TestSocket } from './interview-socket.js';
import type { Candidate } from './stage.js';

/**
 * A client that is written only from docs/interview-socket.md. It shares no code with the service: a fault stays hidden
 * only if both misread the page in the same way.
 */

export type Frame = TestSocket['frames'][number];

const WAIT_LIMIT_MS = 60_000;

/** The first frame for which `is` is true, also one received before. @throws after a minute, or at the socket's end */
export const frameOf = async (client: TestSocket, holds: (frame: Frame) => boolean): Promise<Frame> => {
  const until = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    const found = client.frames.find(holds);
    if (found) return found;
    const heard = JSON.stringify(client.frames).slice(-2_000);
    if (client.socket.readyState === WebSocket.CLOSED) throw new Error(`Closed before that came: ${heard}`);
    if (performance.now() > until) throw new Error(`That has not come: ${heard}`);
    const waiting = new AbortController();
    const { signal } = waiting;
    const timer = setTimeout(() => waiting.abort(), 1_000);
    await Promise.race([once(client.socket, 'kept', { signal }), client.closed]).catch(() => undefined);
    clearTimeout(timer);
    waiting.abort();
  }
};

/** Requests the upgrade to a candidate's own session. */
const requestUpgrade = (base: string, { sessionId, person }: Candidate): Promise<TestSocket | Answered> =>
  openSocket(base, pathOf(sessionId, person.token));

/** Opens a socket, without sending anything. */
export const connectTo = async (base: string, candidate: Candidate): Promise<TestSocket> => {
  const outcome = await requestUpgrade(base, candidate);
  if (outcome instanceof TestSocket) return outcome;
  throw new Error(`The upgrade was refused: ${outcome.status} ${outcome.text}`);
};

/** Connects and sends `client.ready`. Resolves with `session.ready`. */
export const enter = async (
  base: string,
  candidate: Candidate,
  ready: Readonly<Record<string, unknown>> = {},
): Promise<TestSocket> => {
  const client = await connectTo(base, candidate);
  client.send({ type: 'client.ready', protocol: 'interview.v1', ...ready });
  await client.frame('session.ready');
  return client;
};

/** Waits for the question of a turn. The next two do so for a transcript and an acknowledgement. */
export const question = (client: TestSocket, turn: number): Promise<Frame> =>
  frameOf(client, (frame) => frame.type === 'question' && frame.turn === turn);

export const transcript = (client: TestSocket, turn: number): Promise<Frame> =>
  frameOf(client, (frame) => frame.type === 'transcript.final' && frame.turn === turn);

export const ack = (client: TestSocket, id: string): Promise<Frame> =>
  frameOf(client, (frame) => frame.type === 'ack' && frame.id === id);

/** The received messages with a `seq`. */
export const factsOf = ({ frames }: TestSocket): readonly Frame[] =>
  frames.filter(({ seq }) => seq !== undefined);

/** A binary frame with the page's layout. */
export const audioFrame = (
  turn: number,
  seq: number,
  pcm: Uint8Array,
  { speaker = 1, flags = 0 }: { readonly speaker?: number; readonly flags?: number } = {},
): Buffer => {
  const head = Buffer.alloc(12);
  head.writeUInt8(speaker, 0);
  head.writeUInt8(flags, 1);
  head.writeUInt16BE(turn, 2);
  head.writeUInt32BE(seq, 4);
  head.writeUInt32BE((seq * 20) % 2 ** 32, 8);
  return Buffer.concat([head, pcm]);
};
