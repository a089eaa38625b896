import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultProxy } from './fault-proxy.js';

/** One end of a connection, with what it received and how it ended. */
interface End {
  readonly socket: Socket;
  received(): string;
  /** Resolves once so many bytes have arrived. */
  has(bytes: number): Promise<void>;
  /** `end` for an orderly end, otherwise the error's code. */
  readonly over: Promise<string>;
}

const watch = (socket: Socket): End => {
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  return {
    socket,
    received: () => received,
    has: async (bytes) => {
      while (received.length < bytes) await once(socket, 'data');
    },
    over: new Promise((resolve) => {
      socket.once('end', () => resolve('end'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    }),
  };
};

describe('FaultProxy', () => {
  let server: Server;
  let proxy: FaultProxy;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await FaultProxy.open((server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    await proxy.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  const dial = (): End => {
    const socket = connect(proxy.port, '127.0.0.1');
    sockets.push(socket);
    return watch(socket);
  };
  /** Both ends of a new connection. */
  const open = async (): Promise<{ client: End; service: End }> => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = dial();
    return { client, service: watch((await accepted)[0]) };
  };
  /** Time in which loopback delivers everything. */
  const meanwhile = (): Promise<void> => sleep(150);

  it('passes everything on in order, both ways, more than any buffer holds', async () => {
    const { client, service } = await open();
    const much = Array.from({ length: 400_000 }, (_, n) => `${n},`).join('');
    client.socket.write(much);
    service.socket.write('answer');
    await Promise.all([service.has(much.length), client.has(6)]);
    expect(service.received() === much).toBe(true);
    expect(client.received()).toBe('answer');
    expect([proxy.connections, proxy.opened]).toEqual([1, 1]);
  });

  it('passes on that one side has nothing more to say, and the other side’s answer to it', async () => {
    const { client, service } = await open();
    client.socket.end('question');
    await service.over;
    expect(service.received()).toBe('question');
    expect(await client.over).toBe('end');
  });

  it('passes on that the server died', async () => {
    const { client, service } = await open();
    service.socket.resetAndDestroy();
    expect(await client.over).toBe('ECONNRESET');
  });

  it('reset: both sides see it, and new connections are served', async () => {
    const { client, service } = await open();
    proxy.reset();
    expect([await client.over, await service.over]).toEqual(['ECONNRESET', 'ECONNRESET']);
    const next = await open();
    next.client.socket.write('again');
    await next.service.has(5);
  });

  it('end: both sides see a peaceful end', async () => {
    const { client, service } = await open();
    proxy.end();
    expect([await client.over, await service.over]).toEqual(['end', 'end']);
  });

  it('stall: nothing passes either way, ends neither; heal delivers what was held', async () => {
    const { client, service } = await open();
    proxy.stall();
    client.socket.end('held');
    service.socket.write('held too');
    await meanwhile();
    expect([client.received(), service.received()]).toEqual(['', '']);
    await proxy.heal();
    expect([await service.over, service.received()]).toEqual(['end', 'held']);
    expect([await client.over, client.received()]).toEqual(['end', 'held too']);
  });

  it('stall in one direction: the other flows', async () => {
    const { client, service } = await open();
    proxy.stall('down');
    client.socket.write('heard');
    service.socket.write('unheard');
    await service.has(5);
    await meanwhile();
    expect(client.received()).toBe('');
    await proxy.heal();
    await client.has(7);
  });

  it('stall leaves a connection half open whose peer has died', async () => {
    const { client, service } = await open();
    proxy.stall();
    service.socket.resetAndDestroy();
    await meanwhile();
    client.socket.write('anybody there?');
    expect(await Promise.race([client.over, meanwhile()])).toBeUndefined();
    await proxy.heal();
    expect(await client.over).toBe('ECONNRESET');
  });

  it('slow: by bytes a second', async () => {
    const { client, service } = await open();
    proxy.slow({ bytesPerSecond: 10_000, direction: 'up' });
    const began = performance.now();
    client.socket.write('x'.repeat(3_000));
    await service.has(3_000);
    expect(performance.now() - began).toBeGreaterThan(200);
  });

  it('slow: by latency, in order', async () => {
    const { client, service } = await open();
    proxy.slow({ latencyMs: 200 });
    const began = performance.now();
    client.socket.write('first ');
    await service.has(6);
    expect(performance.now() - began).toBeGreaterThan(180);
    client.socket.write('second ');
    proxy.slow({ latencyMs: 0 });
    client.socket.write('third');
    await service.has(18);
    expect(service.received()).toBe('first second third');
  });

  it('resetAfter: so many bytes of a request arrive, then both sides see a reset, once', async () => {
    const { client, service } = await open();
    const sprung = proxy.resetAfter(4);
    client.socket.write('request');
    await sprung;
    expect(await client.over).toBe('ECONNRESET');
    // Bytes and a reset that arrive at once are bytes and an end to Node.
    expect(['ECONNRESET', 'end']).toContain(await service.over);
    expect(service.received()).toBe('requ');
    const next = await open();
    next.client.socket.write('request');
    await next.service.has(7);
  });

  it('resetAfter 0 bytes of the answer: the request was heard, the answer was not', async () => {
    const { client, service } = await open();
    const sprung = proxy.resetAfter(0, { direction: 'down' });
    client.socket.write('request');
    await service.has(7);
    service.socket.write('done');
    await sprung;
    expect([await client.over, client.received()]).toEqual(['ECONNRESET', '']);
  });

  it('resetAfter counts from the bytes that are meant, on their connection alone', async () => {
    const [one, other] = [await open(), await open()];
    const sprung = proxy.resetAfter(3, { when: (bytes) => bytes.includes('insert') });
    one.client.socket.write('hello');
    await one.service.has(5);
    other.client.socket.write('insert');
    await sprung;
    expect(await other.client.over).toBe('ECONNRESET');
    await other.service.over;
    expect(other.service.received()).toBe('ins');
    one.client.socket.write(' again');
    await one.service.has(11);
  });

  it('refuse: no new connection, the open ones go on; heal listens on the same port', async () => {
    const { client, service } = await open();
    const { port } = proxy;
    proxy.refuse();
    expect(await dial().over).toBe('ECONNREFUSED');
    client.socket.write('still here');
    await service.has(10);
    await proxy.heal();
    expect(proxy.port).toBe(port);
    await open();
  });

  it('a server that is not there: the connection is reset', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const nowhere = await FaultProxy.open(port);
    try {
      const socket = connect(nowhere.port, '127.0.0.1');
      expect(await watch(socket).over).toBe('ECONNRESET');
    } finally {
      await nowhere.close();
    }
  });

  it('close leaves no connection', async () => {
    const { client } = await open();
    await proxy.close();
    expect(await client.over).toBe('ECONNRESET');
    expect(await dial().over).toBe('ECONNREFUSED');
  });
});
