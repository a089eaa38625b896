import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

const LARGE = 24 * 1024 * 1024;
const STALLED_MS = 1_500;
const tokenOf = (subject: string): string => `head.${subject}.signature`;

/** Clients that request large answers, and read them slowly or not at all. */
describe('readers that take nothing', () => {
  let service: Service;
  let api: Api;
  const sockets: Socket[] = [];

  const start = async (env: Readonly<Record<string, string>>): Promise<void> => {
    const common = { LOG_LEVEL: 'error', RATE_LIMITS: 'off' };
    service = await startService({ entry: 'test/fixtures/edge-app.js', env: { ...common, ...env } });
    api = new Api(service.url);
  };
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Sends a request, and reads nothing until it is resumed. */
  const ask = async (subject: string, path = '/things/large'): Promise<Socket> => {
    const socket = connect(service.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf(subject)}\r\n\r\n`);
    sockets.push(socket);
    // Its answer has begun.
    await once(socket, 'readable');
    return socket;
  };
  const read = (subject: string) =>
    api.send<{ large: string; code: string }>('GET', '/things/large', { token: tokenOf(subject) });

  it('leave the others their answers: beyond what may wait, 503 until it is read', async () => {
    // Two of one caller, and three of all.
    await start({ SENDING: JSON.stringify({ all: 3.2 * LARGE, caller: 2.2 * LARGE }) });
    const slow = await ask('a');
    await ask('a');
    const refused = await read('a');
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('etag')).toBeNull();
    // Another caller may have one, but no second one.
    await ask('b');
    expect((await read('c')).status).toBe(503);
    // Small answers and answers of commands are still sent.
    expect((await api.send('GET', '/things/1', { token: tokenOf('a') })).status).toBe(200);
    expect((await api.send('POST', '/things/large', { token: tokenOf('a'), body: {} })).status).toBe(200);
    slow.resume();
    let bytes = 0;
    slow.on('data', (piece: Buffer) => (bytes += piece.byteLength));
    await eventually(async () => bytes > LARGE || undefined);
    expect((await read('c')).body.large).toHaveLength(LARGE);
    await service.stop();
  });

  describe('for longer than they may', () => {
    beforeAll(() => start({ STALLED_MS: `${STALLED_MS}` }));
    afterAll(() => service.stop());

    it.each(['/things/large', '/things/made'])(
      'are cut off of %s, and slow ones that go on are not',
      async (path) => {
        const [silent, slow] = [await ask('a', path), await ask('b', path)];
        let bytes = 0;
        slow.on('data', (piece: Buffer) => {
          bytes += piece.byteLength;
          slow.pause();
        });
        const sip = setInterval(() => slow.resume(), 20);
        // A paused socket has no event for a cut connection: see that it received less than it requested.
        let got = 0;
        await sleep(4 * STALLED_MS);
        silent.on('data', (piece: Buffer) => (got += piece.byteLength)).resume();
        await eventually(async () => silent.closed || undefined);
        expect(got).toBeLessThan(LARGE);
        const before = bytes;
        await sleep(200);
        expect(bytes).toBeGreaterThan(before);
        clearInterval(sip);
        slow
          .removeAllListeners('data')
          .on('data', (piece: Buffer) => (bytes += piece.byteLength))
          .resume();
        await eventually(async () => bytes > LARGE || undefined);
      },
    );

    it('that ask for nothing more keep their connection as before', async () => {
      const socket = await ask('a', '/things/1');
      await sleep(300);
      socket.resume();
      await sleep(2 * STALLED_MS);
      socket.write(`GET /things/2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf('a')}\r\n\r\n`);
      const text = await new Promise<string>((resolve) =>
        socket.once('data', (piece) => resolve(String(piece))),
      );
      expect(text).toContain('200 OK');
    });
  });
});
