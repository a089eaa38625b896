import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReceiver, type Receiver } from '../../../test/support/receiver.js';
import { post, type PostOptions, type Resolve } from './post.js';

const message = { headers: { 'content-type': 'application/json', 'webhook-id': 'd' }, body: '{"ä":1}' };
/** On a machine that is busy an answer takes its time. */
const PATIENT = { allowPrivate: true, totalMs: 60_000, connectMs: 60_000, bodyMs: 100 };
const QUICK = { ...PATIENT, totalMs: 250, connectMs: 200 };
const never = new AbortController().signal;

describe('Posting a notice', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  const receiver = async (...options: Parameters<typeof openReceiver>): Promise<Receiver> => {
    const one = await openReceiver(...options);
    opened.push(one);
    return one;
  };
  /** A server that writes arbitrary text to each connection. */
  const speaker = async (speak: (write: (text: string) => void) => void): Promise<string> => {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      speak((text) => {
        if (socket.writable) socket.write(text);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const close = (): Promise<void> =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      });
    opened.push({ close });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  const send = (url: string, options: PostOptions = PATIENT, signal = never) =>
    post(new URL(url), message, options, signal);

  it('brings it as it is, and says what was answered', async () => {
    const { url, received } = await receiver((response) => void response.writeHead(202).end('thanks'));
    expect(await send(`${url}/hook?a=1`)).toEqual({ status: 202, fault: null, retryAfterMs: null });
    expect(received).toMatchObject([
      { path: '/hook?a=1', body: '{"ä":1}', headers: { 'webhook-id': 'd', 'content-length': '8' } },
    ]);
  });

  it('follows no redirection, inwards or anywhere', async () => {
    const inner = await receiver();
    const outer = await receiver(
      (response) => void response.writeHead(307, { location: `${inner.url}/secrets` }).end(),
    );
    expect(await send(outer.url)).toMatchObject({ status: 307, fault: null });
    expect(inner.connections).toBe(0);
  });

  it.each([
    ['120', 120_000],
    ['999999999', 86_400_000],
    ['soon', null],
    ['-1', null],
    ['Fri, 01 Jan 2027 00:00:30 GMT', 20_000],
    ['Friday, 01-Jan-27 00:00:30 GMT', 20_000],
    ['Fri Jan  1 00:00:30 2027 GMT', 20_000],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 0],
    ['Sat, 01 Jan 2028 00:00:00 GMT', 86_400_000],
  ])('hears for how long it is to wait, in seconds or as a date: %s', async (text, ms) => {
    const headers = { 'retry-after': text, date: 'Fri, 01 Jan 2027 00:00:10 GMT' };
    const { url } = await receiver((response) => void response.writeHead(429, headers).end());
    expect(await send(url)).toEqual({ status: 429, fault: null, retryAfterMs: ms });
  });

  it('waits no longer than it should for one that never answers', async () => {
    const { url } = await receiver(() => undefined);
    expect(await send(url, QUICK)).toEqual({ status: null, fault: 'timeout', retryAfterMs: null });
  });

  const flood = (response: ServerResponse): void => {
    const chunk = Buffer.alloc(65_536);
    let left = 100 * 1024 * 1024;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  };

  it('reads little of an answer of 100 MB', async () => {
    let sent = -1;
    const { url } = await receiver((response, { socket }) => {
      socket.on('close', () => (sent = socket.bytesWritten));
      response.writeHead(200);
      flood(response);
    });
    expect(await send(url)).toMatchObject({ status: 200 });
    while (sent === -1) await new Promise((resolve) => setTimeout(resolve, 5));
    // What the kernels between the two have taken.
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  it('does not listen for long to an answer that drips', async () => {
    let dripping: NodeJS.Timeout | undefined;
    const ended: true[] = [];
    const { url } = await receiver((response) => {
      response.writeHead(200);
      dripping = setInterval(() => response.write('.'), 10);
      response.on('close', () => {
        ended.push(true);
        clearInterval(dripping);
      });
    });
    const began = performance.now();
    expect(await send(url)).toMatchObject({ status: 200 });
    expect(performance.now() - began).toBeLessThan(5_000);
    while (ended.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it.each([
    ['what is no HTTP', 'bad_answer', (write: (text: string) => void) => write('220 mail.example ESMTP\r\n')],
    [
      'headers without end',
      'bad_answer',
      (write: (text: string) => void) => write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`),
    ],
    [
      'more headers than an answer needs',
      'bad_answer',
      (write: (text: string) => void) => write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(9_000)}\r\n\r\n`),
    ],
    [
      'headers that drip',
      'timeout',
      (write: (text: string) => void) => {
        write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => write('x: y\r\n'), 20);
        setTimeout(() => clearInterval(timer), 1_000).unref();
      },
    ],
    [
      'nothing but a promise of more',
      'timeout',
      (write: (text: string) => void) => write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)),
    ],
    [
      'promises of more without end',
      'bad_answer',
      (write: (text: string) => void) => write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2_000)),
    ],
    [
      'empty lines without end',
      'bad_answer',
      (write: (text: string) => void) => write('\r\n'.repeat(20_000)),
    ],
  ])('takes %s for no answer', async (_, fault, speak) => {
    const options = fault === 'timeout' ? QUICK : PATIENT;
    expect(await send(await speaker(speak), options)).toEqual({ status: null, fault, retryAfterMs: null });
  });

  it('takes another protocol for an answer that does not take it', async () => {
    const url = await speaker((write) =>
      write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    expect(await send(url)).toMatchObject({ status: 101 });
  });

  it('says that nobody is there', async () => {
    const { url, close } = await openReceiver();
    await close();
    expect(await send(url)).toMatchObject({ status: null, fault: 'unreachable' });
  });

  it('leaves nothing on the signal that all attempts of the process share', async () => {
    const { url } = await receiver();
    const { signal } = new AbortController();
    await send(url, PATIENT, signal);
    await send('http://127.0.0.1:1/', PATIENT, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends with the signal, and says nothing then', async () => {
    const { url } = await receiver(() => undefined);
    const abort = new AbortController();
    const sent = send(url, { allowPrivate: true }, abort.signal);
    setTimeout(() => abort.abort(new Error('over')), 50);
    await expect(sent).rejects.toThrow('over');
  });

  describe('by a name', () => {
    const names =
      (answer: readonly string[]): Resolve =>
      async () =>
        answer;

    it('connects to the address that was looked up', async () => {
      const { port, received } = await receiver();
      const options = { ...PATIENT, resolve: names(['127.0.0.1']) };
      expect(await send(`http://hooks.example.com:${port}/`, options)).toMatchObject({ status: 204 });
      expect(received[0]?.headers.host).toBe(`hooks.example.com:${port}`);
    });

    it.each([
      [['127.0.0.1'], 'private_address'],
      [['10.0.0.1', '::1', 'fe80::1', '::ffff:127.0.0.1'], 'private_address'],
      [[], 'unresolved'],
    ])('that leads to %j goes nowhere', async (addresses, fault) => {
      const inner = await receiver();
      const options = { ...PATIENT, allowPrivate: false, resolve: names(addresses) };
      const sent = await send(`http://hooks.example.com:${inner.port}/`, options);
      expect(sent).toMatchObject({ status: null, fault });
      expect(inner.connections).toBe(0);
    });

    it('is looked up once: an answer that changes afterwards leads nowhere else', async () => {
      const inner = await receiver();
      const asked: string[] = [];
      const resolve: Resolve = async (host) => {
        asked.push(host);
        return asked.length === 1 ? ['192.88.98.1', '127.0.0.1'] : ['127.0.0.1'];
      };
      const options = { ...PATIENT, allowPrivate: false, resolve };
      // The public address cannot be reached from here, and the private one beside it must not be tried.
      const { status } = await send(`http://hooks.example.com:${inner.port}/`, options);
      expect([status, asked, inner.connections]).toEqual([null, ['hooks.example.com'], 0]);
    });

    it('that nobody resolves in time is given up', async () => {
      const options = { ...QUICK, resolve: () => new Promise<never>(() => undefined) };
      expect(await send('http://hooks.example.com/', options)).toMatchObject({ fault: 'timeout' });
    });

    it('that is an address is looked up nowhere, and checked all the same', async () => {
      const inner = await receiver();
      const resolve: Resolve = async () => {
        throw new Error('asked');
      };
      expect(await send(inner.url, { ...PATIENT, resolve })).toMatchObject({ status: 204 });
      const refused = await send(inner.url, { ...PATIENT, allowPrivate: false, resolve });
      expect(refused).toMatchObject({ status: null, fault: 'private_address' });
      expect(inner.connections).toBe(1);
    });
  });

  describe('over TLS', () => {
    let pair: { key: string; cert: string };
    beforeAll(() => {
      const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const asked = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
      const subject = ['-subj', '/CN=hooks.example.com', '-addext', 'subjectAltName=DNS:hooks.example.com'];
      execFileSync('openssl', ['req', ...asked, ...subject, '-keyout', key, '-out', cert], {
        stdio: 'ignore',
      });
      pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
      rmSync(folder, { recursive: true });
    });
    const resolve: Resolve = async () => ['127.0.0.1'];
    const options = { ...PATIENT, resolve };

    it('brings it to who proves to be the host', async () => {
      const { port, received } = await receiver(undefined, pair);
      const sent = await send(`https://hooks.example.com:${port}/`, { ...options, ca: pair.cert });
      expect([sent.status, received.length]).toEqual([204, 1]);
    });

    it.each([
      ['whom nobody vouches for', 'hooks.example.com', false],
      ['who is another', 'other.example.com', true],
    ])('brings it to nobody %s, whatever the environment allows', async (_, host, trusted) => {
      const { port, received } = await receiver(undefined, pair);
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      try {
        const sent = await send(`https://${host}:${port}/`, {
          ...options,
          ...(trusted && { ca: pair.cert }),
        });
        expect([sent.fault, received.length]).toEqual(['tls', 0]);
      } finally {
        delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      }
    });

    it('waits only so long for the handshake', async () => {
      const url = (await speaker(() => undefined)).replace('http:', 'https:');
      expect(await send(url, QUICK)).toMatchObject({ status: null, fault: 'timeout' });
    });
  });
});
