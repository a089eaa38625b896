import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import {
  type AudioFrame,
  encodeAudioFrame,
  SPEAKER,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { MAX_FRAME_BYTES } from '../../../packages/interview-client/src/protocol/messages.js';
import { TestSocket } from '../../../test/support/interview-socket.js';
import { Sending, type Waiting } from '../../http/sending.js';
import type { ConnectionHandler, ClientChannel, AdmittedCaller } from '../session/port.js';
import { Connection } from './connection.js';
import { BACKLOG } from './flow.js';
import { ALL_FRAMES, FrameRate } from './limits.js';
import { type Timings, TIMINGS } from './limits.js';

/** One connection, from both of its ends. */
interface Rig {
  readonly client: TestSocket;
  readonly connection: Connection;
  /** What reached the conversation. */
  readonly heard: unknown[];
  readonly failures: unknown[];
  /** What the connection was closed with, each time that it said so. */
  readonly closes: number[];
  /** Ends with the connection. */
  readonly gone: Promise<void>;
}

interface RigOptions {
  readonly timings?: Partial<Timings>;
  readonly expiresAt?: number;
  readonly client?: ClientOptions;
  readonly waiting?: Waiting;
  readonly conversation?: (line: ClientChannel) => Partial<ConnectionHandler>;
}

const servers: WebSocketServer[] = [];
const clients: WebSocket[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  for (const server of servers.splice(0)) {
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
});

const visitorUntil = (expiresAt: number): AdmittedCaller => ({
  caller: { subject: 's', email: null, emailVerified: false, expiresAt },
  session: { organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' },
  ids: { requestId: 'q', correlationId: 'c' },
});

const rig = async (options: RigOptions = {}): Promise<Rig> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: MAX_FRAME_BYTES });
  servers.push(server);
  await once(server, 'listening');
  const opening = once(server, 'connection') as Promise<[WebSocket]>;
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, options.client);
  clients.push(socket);
  const client = new TestSocket(socket);
  const [served] = await opening;
  const heard: unknown[] = [];
  const failures: unknown[] = [];
  const closes: number[] = [];
  const connection = new Connection(served, visitorUntil(options.expiresAt ?? Number.MAX_SAFE_INTEGER), {
    interviews: {
      open: (_, ready, line) => {
        heard.push(ready);
        return {
          message: (message) => void heard.push(message),
          audio: (frame) => void heard.push(frame),
          closed: (code) => void heard.push(code),
          ...options.conversation?.(line),
        };
      },
    },
    timings: { ...TIMINGS, ...options.timings },
    frames: new FrameRate(ALL_FRAMES),
    waiting: options.waiting ?? new Sending().begin('s'),
    failed: (error) => void failures.push(error),
    closed: (code) => void closes.push(code),
  });
  if (socket.readyState !== WebSocket.OPEN) await once(socket, 'open');
  const gone = new Promise<void>((resolve) => served.once('close', () => resolve()));
  return { client, connection, heard, failures, closes, gone };
};

const ready = async (options: RigOptions = {}): Promise<Rig> => {
  const made = await rig(options);
  made.client.ready();
  while (made.heard.length === 0) await sleep(2);
  made.heard.length = 0;
  return made;
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(2);
};

const frame = (seq: number): AudioFrame => ({
  ...{ speaker: SPEAKER.candidate, endOfTurn: false, turn: 1, seq, timestampMs: 0 },
  pcm: new Uint8Array(640),
});
const audio = (seq: number): Buffer => Buffer.from(encodeAudioFrame(frame(seq)));

/** Takes next to nothing to send. */
const audioEnd = Buffer.from(encodeAudioFrame({ ...frame(1), endOfTurn: true, pcm: new Uint8Array(0) }));

const fatal = async ({ client }: Rig, code: number, error: string): Promise<void> => {
  expect(await client.closed).toBe(code);
  expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: error, fatal: true });
};

describe('a connection', () => {
  it('passes on what was checked, in order, and reports its end once', async () => {
    const one = await ready();
    one.client.send({ type: 'turn.commit', id: 'a', turn: 1, unknown: true });
    one.client.send(audio(1));
    one.client.send({ type: 'ping' });
    one.client.send(audio(2));
    await one.client.frame('pong');
    await until(() => one.heard.length === 3);
    expect(one.heard[0]).toEqual({ type: 'turn.commit', id: 'a', turn: 1 });
    expect(one.heard.slice(1)).toMatchObject([
      { seq: 1, turn: 1 },
      { seq: 2, turn: 1 },
    ]);
    one.client.socket.close(1000);
    await one.gone;
    expect(one.closes).toEqual([1000]);
    expect(one.heard.at(-1)).toBe(1000);
  });

  it.each([
    ['another message', JSON.stringify({ type: 'session.end', id: 'x' })],
    ['a ping', JSON.stringify({ type: 'ping' })],
    ['audio', audio(1)],
    ['what is no JSON', '{'],
    ['another protocol', JSON.stringify({ type: 'client.ready', protocol: 'interview.v2' })],
  ])('that begins with %s is closed with 4400', async (_, message) => {
    const one = await rig();
    one.client.send(message);
    await fatal(one, 4400, 'bad_message');
    await one.gone;
    expect({ heard: one.heard, closes: one.closes }).toEqual({ heard: [], closes: [4400] });
  });

  it('that never begins is closed with 4408', async () => {
    await fatal(await rig({ timings: { readyMs: 40 } }), 4408, 'idle');
    const one = await ready({ timings: { readyMs: 40 } });
    await sleep(80);
    expect(one.closes).toEqual([]);
  });

  it('begins once', async () => {
    const one = await ready();
    one.client.ready();
    expect(await one.client.frame('error')).toMatchObject({ code: 'bad_message', fatal: false });
    expect(one.heard).toEqual([]);
  });

  it('is told what is wrong with a message, and closed at the tenth', async () => {
    const one = await ready();
    one.client.send({ type: 'turn.commit', id: 'mine' });
    expect(await one.client.frame('error')).toMatchObject({ id: 'mine', fatal: false });
    for (let count = 0; count < 7; count += 1) one.client.send(Buffer.alloc(1));
    await until(() => one.client.frames.length === 8);
    one.connection.report('audio_gap', 'One is missing.');
    one.connection.report('bad_message', 'Not now.');
    await until(() => one.client.frames.length === 10);
    expect(one.client.frames.every(({ fatal: isFatal }) => isFatal === false)).toBe(true);
    one.client.send({ type: 'turn.commit', id: 'last' });
    await fatal(one, 4400, 'bad_message');
    expect(one.client.frames.at(-1)).toMatchObject({ id: 'last' });
  });

  it('may say 100 things at once, and not one more; audio does not count', async () => {
    const one = await ready();
    for (let seq = 1; seq <= 300; seq += 1) one.client.send(audio(seq));
    for (let count = 0; count < 99; count += 1) one.client.send({ type: 'ping' });
    await until(() => one.client.frames.length === 99);
    one.client.send({ type: 'ping' });
    await fatal(one, 4429, 'too_many_messages');
  });

  it.each([
    ['audio that only ends its turn', (one: Rig) => one.client.send(audioEnd)],
    ['unsolicited pongs', (one: Rig) => one.client.socket.pong()],
  ])('may not flood it with %s', async (_, send) => {
    const one = await ready();
    for (let count = 0; count < 30_000; count += 1) send(one);
    await fatal(one, 4429, 'too_many_messages');
    expect(one.client.frames.at(-1)?.error).toBe('At most 10000 frames in 10 s.');
    expect(one.heard.length).toBeLessThanOrEqual(10_000);
  });

  it('hears why before it is closed, and nothing after it', async () => {
    const one = await ready();
    one.connection.close(CLOSE.superseded, { code: 'superseded', sentence: 'Another one is open.' });
    one.connection.send({ type: 'pong' });
    one.connection.close(CLOSE.fault);
    await fatal(one, 4409, 'superseded');
    await one.gone;
    expect(one.closes).toEqual([4409]);
  });

  it('takes nothing that comes once it is being closed', async () => {
    const one = await ready();
    one.connection.close(CLOSE.ended);
    one.client.send({ type: 'session.end', id: 'late' });
    one.client.send('{');
    await one.gone;
    expect(one.heard).toEqual([1000]);
  });

  it('ignores every call once it is gone', async () => {
    const one = await ready();
    one.client.socket.terminate();
    await one.gone;
    one.connection.send({ type: 'pong' });
    one.connection.sendAudio(audio(1));
    one.connection.report('bad_message', 'Late.');
    one.connection.pause()();
    one.connection.goAway(1);
    one.connection.close(CLOSE.ended);
    one.connection.terminate();
    await one.connection.ready();
    expect(one.closes).toEqual([1006]);
    expect(one.heard).toEqual([1006]);
  });

  it('is closed with 1009 for a frame that is too big, and with 1002 for what is no frame', async () => {
    const big = await ready();
    big.client.send(Buffer.alloc(MAX_FRAME_BYTES + 1));
    await big.gone;
    const garbled = await ready();
    (garbled.client.socket as unknown as { _socket: { write: (bytes: Buffer) => void } })._socket.write(
      Buffer.from([0xff, 0x00]),
    );
    await garbled.gone;
    expect([...big.closes, ...garbled.closes]).toEqual([1009, 1002]);
  });

  it('is closed with 1007 for text that is none, and with 1008 for a message in too many pieces', async () => {
    const unread = await ready();
    unread.client.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    const pieces = await ready();
    for (let count = 0; count <= 128 * 1024; count += 1)
      pieces.client.socket.send(Buffer.alloc(0), { fin: false });
    for (const [{ client, closes, gone }, code] of [
      [unread, 1007],
      [pieces, 1008],
    ] as const) {
      expect(await client.closed).toBe(code);
      await gone;
      expect(closes).toEqual([code]);
    }
  });

  it('is broken where a client pings faster than it takes the answers', async () => {
    const one = await ready();
    one.client.socket.pause();
    for (let count = 0; count < 10_000; count += 1) one.client.socket.ping(Buffer.alloc(125));
    await one.gone;
    expect(one.closes).toEqual([1006]);
  });

  it('that is gone leaves nothing of the interview on its socket', async () => {
    const one = await rig();
    const [served] = servers.at(-1)!.clients;
    one.client.socket.close(1000);
    await one.gone;
    expect(served!.eventNames()).toEqual(['error']);
    expect(() => served!.emit('error', new Error('Too late.'))).not.toThrow();
  });
});

describe('a fault of ours', () => {
  const broken = (): never => {
    throw new Error('broken');
  };

  it.each<[string, Partial<ConnectionHandler>, (one: Rig) => void]>([
    ['a message', { message: broken }, ({ client }) => client.send({ type: 'session.end', id: 'x' })],
    ['audio', { audio: broken }, ({ client }) => client.send(audio(1))],
  ])('over %s closes with 4500', async (_, conversation, act) => {
    const one = await ready({ conversation: () => conversation });
    act(one);
    await fatal(one, 4500, 'internal');
    await one.gone;
    expect(one.failures).toHaveLength(1);
    expect(one.heard).toEqual([4500]);
  });

  it('at the beginning and at the end does no harm', async () => {
    const one = await rig({ conversation: broken });
    one.client.ready();
    await fatal(one, 4500, 'internal');
    const other = await ready({ conversation: () => ({ closed: broken }) });
    other.client.socket.close();
    await other.gone;
    expect(other.failures).toHaveLength(1);
    expect(other.closes).toEqual([1005]);
  });
});

describe('a client that is silent', () => {
  const timings = { pingMs: 50, idleMs: 500, closeMs: 60 };

  it('is there while it answers pings', async () => {
    const one = await ready({ timings });
    await sleep(1_200);
    expect(one.closes).toEqual([]);
  });

  it('is closed with 4408 where it does not', async () => {
    const one = await ready({ timings, client: { autoPong: false } });
    const started = performance.now();
    await fatal(one, 4408, 'idle');
    expect(performance.now() - started).toBeGreaterThan(400);
  });

  it('is not, while it sends anything', async () => {
    const one = await ready({ timings, client: { autoPong: false } });
    for (let seq = 1; seq <= 15; seq += 1) {
      one.client.send(audio(seq));
      await sleep(60);
    }
    expect(one.closes).toEqual([]);
  });

  it('is cut off where it does not even close', async () => {
    const one = await ready({ timings });
    one.client.socket.pause();
    const started = performance.now();
    await one.gone;
    // A closing handshake would be waited for much longer.
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(one.closes).toEqual([4408]);
  });
});

describe('a token', () => {
  it('that expires is given a farewell, then 4401', async () => {
    const one = await ready({ expiresAt: Date.now() + 60, timings: { farewellMs: 80 } });
    expect(await one.client.frame('go_away')).toEqual({ type: 'go_away', deadlineMs: 80 });
    expect(one.closes).toEqual([]);
    await fatal(one, 4401, 'token_expired');
  });

  it('that lasts longer than a timer can does not expire at once', async () => {
    const one = await ready({ expiresAt: Date.now() + 2 ** 40, timings: { farewellMs: 10 } });
    await sleep(60);
    expect(one.client.frames).toEqual([]);
  });
});

describe('a client that does not read', () => {
  const block = new Uint8Array(64 * 1024);

  /** Sends until nothing more goes out. */
  const fill = async (one: Rig): Promise<number> => {
    one.client.socket.pause();
    for (let sent = 1; ; sent += 1) {
      one.connection.sendAudio(block);
      const waited = await Promise.race([one.connection.ready().then(() => false), sleep(200, true)]);
      if (waited) return sent;
    }
  };

  it('is waited for, and goes on where it reads again', async () => {
    const one = await ready();
    const sent = await fill(one);
    const caughtUp = one.connection.ready();
    one.client.socket.resume();
    await caughtUp;
    await until(() => one.client.audioBytes === sent * block.byteLength);
    await one.connection.ready();
    expect(one.closes).toEqual([]);
  });

  it('is not read either, and closed where that lasts', async () => {
    const one = await ready({ timings: { stalledMs: 700, closeMs: 50 } });
    const sent = await fill(one);
    for (let more = 0; more * block.byteLength <= BACKLOG.clogged; more += 1) one.connection.sendAudio(block);
    await sleep(100);
    one.client.send(audio(1));
    await sleep(100);
    expect({ heard: one.heard, closes: one.closes }).toEqual({ heard: [], closes: [] });
    await one.gone;
    expect(one.closes).toEqual([4408]);
    expect(sent * block.byteLength).toBeLessThan(32 * 1024 * 1024);
  });

  it('is closed at once where too much waits in the whole process', async () => {
    const sending = new Sending({ all: 4 * BACKLOG.easy, caller: 4 * BACKLOG.easy });
    const others = sending.begin('other');
    expect(others.becomes(3 * BACKLOG.easy)).toBe(true);
    const one = await ready({ timings: { closeMs: 20 }, waiting: sending.begin('s') });
    one.client.socket.pause();
    while (one.closes.length === 0) {
      one.connection.sendAudio(block);
      await sleep(1);
    }
    expect(one.closes).toEqual([4408]);
    // What waited for it is not counted any more.
    expect(sending.begin('t').becomes(BACKLOG.easy)).toBe(true);
  });

  it('is closed at once where too much waits for it', async () => {
    const one = await ready({ timings: { closeMs: 20 } });
    await fill(one);
    const waiting = one.connection.ready();
    for (let sent = 0; sent <= BACKLOG.max; sent += block.byteLength) one.connection.sendAudio(block);
    await waiting;
    await one.gone;
    expect(one.closes).toEqual([4408]);
  });
});

describe('a client that is held back', () => {
  it('is told once it takes long, and loses nothing', async () => {
    const one = await ready({ timings: { flowMs: 40, idleMs: 100, pingMs: 20 } });
    const resume = one.connection.pause();
    for (let seq = 1; seq <= 50; seq += 1) one.client.send(audio(seq));
    expect(await one.client.frame('flow')).toEqual({ type: 'flow', state: 'pause' });
    // Its silence is ours.
    await sleep(200);
    expect(one.heard).toEqual([]);
    resume();
    await until(() => one.heard.length === 50);
    expect(one.heard.map((each) => (each as AudioFrame).seq)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
    await until(() => one.client.frames.length === 2);
    expect(one.client.frames[1]).toEqual({ type: 'flow', state: 'resume' });
  });

  it('by several is read once all of them have ended their own pause, however often one does', async () => {
    const one = await ready({ timings: { flowMs: 20 } });
    const [first, second] = [one.connection.pause(), one.connection.pause()];
    one.client.send(audio(1));
    expect(await one.client.frame('flow')).toEqual({ type: 'flow', state: 'pause' });
    for (let times = 0; times < 2; times++) first();
    await sleep(60);
    expect(one.heard).toEqual([]);
    expect(one.client.frames).toHaveLength(1);
    second();
    await until(() => one.heard.length === 1);
    await until(() => one.client.frames.length === 2);
  });

  it('hears nothing of short ones', async () => {
    const one = await ready({ timings: { flowMs: 60 } });
    for (let count = 0; count < 20; count += 1) {
      const resume = one.connection.pause();
      await sleep(5);
      resume();
    }
    await sleep(80);
    expect(one.client.frames).toEqual([]);
  });

  it('is not blamed for what has gathered meanwhile', async () => {
    const one = await ready();
    const resume = one.connection.pause();
    for (let count = 0; count < 150; count += 1) one.client.send({ type: 'ping' });
    await sleep(1_000);
    resume();
    await until(() => one.client.frames.filter(({ type }) => type === 'pong').length === 150);
    expect(one.closes).toEqual([]);
  });

  it('can still be closed', async () => {
    const one = await ready({ timings: { closeMs: 10_000 } });
    one.connection.pause();
    one.client.send(audio(1));
    await sleep(50);
    const started = performance.now();
    one.connection.close(CLOSE.restart);
    expect(await one.client.closed).toBe(1001);
    await one.gone;
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(one.closes).toEqual([1001]);
  });
});
