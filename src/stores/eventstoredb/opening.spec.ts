import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aStream, collect, events } from '../../../test/contracts/event-store-kit.js';
import { makeCertificate } from '../../../test/support/eventstoredb/certificate.js';
import {
  startEventStoreServer,
  type EventStoreServer,
  type EventStoreServerOptions,
} from '../../../test/support/eventstoredb/server.js';
import { freePort } from '../../../test/support/free-port.js';
import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import type { EventStore } from '../../core/event-store.js';
import { openEventStoreDb } from './open.js';

describe('opening the log in an EventStoreDB', () => {
  let folder: string;
  const servers: EventStoreServer[] = [];
  const stores: EventStore[] = [];
  const listeners: Server[] = [];
  const sockets: Socket[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-esdb-open-'));
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const listener of listeners.splice(0)) listener.close();
  });
  afterAll(() => rm(folder, { recursive: true }));

  const start = async (options: EventStoreServerOptions = {}): Promise<EventStoreServer> => {
    const server = await startEventStoreServer(options);
    servers.push(server);
    return server;
  };
  const open = async (url: string): Promise<EventStore> => {
    const store = await openEventStoreDb(url, { deadlineMs: 2_000 });
    stores.push(store);
    return store;
  };
  const refused = async (url: string, kind: typeof StoreUnavailable | typeof StoreUnusable, why: RegExp) => {
    const opening = open(url);
    await expect(opening).rejects.toThrow(why);
    await expect(opening).rejects.toBeInstanceOf(kind);
    await expect(opening).rejects.not.toThrow(/secret/);
  };

  it('says that nothing listens there, and is tried again', async () => {
    await refused(
      `esdb://user:secret@127.0.0.1:${await freePort()}?tls=false`,
      StoreUnavailable,
      /Nothing listens/,
    );
  });

  it('names the nodes of a cluster that do not answer, and those that do', async () => {
    const [down, up] = [`127.0.0.1:${await freePort()}`, await start()];
    const answering = `127.0.0.1:${up.port}`;
    await up.admin.change({ unavailable: true });
    await refused(
      `esdb://${down},${answering}?tls=false&maxDiscoverAttempts=2`,
      StoreUnavailable,
      new RegExp(`nothing answers at ${down}; ${answering} can be reached`),
    );
    await refused(
      `esdb://${down},127.0.0.1:${await freePort()}?tls=false&maxDiscoverAttempts=2`,
      StoreUnavailable,
      /None of the EventStoreDB nodes .* can be reached/,
    );
  });

  it('says that the host is not known', async () => {
    await refused('esdb://nowhere.invalid:2113?tls=false', StoreUnavailable, /host .* is not known/);
  });

  it('gives up in time on something that says nothing', async () => {
    const mute = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    listeners.push(mute);
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    await refused(`esdb://127.0.0.1:${port}?tls=false`, StoreUnavailable, /did not answer within 2000 ms/);
  });

  it('says that the server speaks no TLS, or wants it', async () => {
    const plain = await start();
    await refused(`esdb://127.0.0.1:${plain.port}?tls=true`, StoreUnusable, /does not speak TLS/);
    const secure = await start({ tls: await makeCertificate(folder) });
    await refused(`esdb://127.0.0.1:${secure.port}?tls=false`, StoreUnavailable, /does the server want TLS/);
  });

  it('says that the certificate is not trusted', async () => {
    const { port } = await start({ tls: await makeCertificate(folder) });
    await refused(`esdb://127.0.0.1:${port}`, StoreUnusable, /certificate .* is not trusted/);
  });

  it('opens with TLS and the right credentials, and says that others are wrong', async () => {
    const credentials = { username: 'assay', password: 's3:cr@t' };
    const { url } = await start({ tls: await makeCertificate(folder), credentials });
    const store = await open(url);
    await store.append(aStream(), 'no-stream', events(2));
    expect(await collect(store.readAll())).toHaveLength(2);
    const wrong = url.replace(/\/\/[^@/]*@/, '//assay:secret@');
    await refused(wrong, StoreUnusable, /does not accept these credentials|refuses this user/);
    const nobody = url.replace(/\/\/[^@/]*@/, '//');
    await refused(nobody, StoreUnusable, /does not accept these credentials|refuses this user/);
  });

  it('says that an option of the URL has no effect, and goes on', async () => {
    const { url } = await start({});
    const said: string[] = [];
    const printed = jest.spyOn(console, 'warn');
    const store = await openEventStoreDb(`${url}${url.includes('?') ? '&' : '?'}tlsVerifyCert=false`, {
      onTrouble: (sentence) => said.push(sentence),
    });
    await store.close();
    expect(said).toEqual([expect.stringMatching(/^tlsVerifyCert=false .* has no effect: with tls=false/)]);
    const { port } = await start({ tls: await makeCertificate(folder) });
    const secure = openEventStoreDb(`esdb://127.0.0.1:${port}?tlsVerifyCert=false`, {
      onTrouble: (sentence) => said.push(sentence),
    });
    await expect(secure).rejects.toThrow(/is not trusted/);
    expect(said.slice(1)).toEqual([expect.stringMatching(/^tlsVerifyCert=false .* verified all the same\./)]);
    // The client would print the whole URL with its password.
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it('says that the user has no access', async () => {
    const { url } = await start({ faults: { accessDenied: true } });
    await refused(url, StoreUnusable, /gives this user no access|refuses this user/);
  });

  it('says that another node leads, and is tried again', async () => {
    const { url } = await start({ faults: { leader: { host: '127.0.0.1', port: await freePort() } } });
    await refused(url, StoreUnavailable, /has no leader that can be reached/);
  });

  it('refuses a server that is too old', async () => {
    const { url } = await start({ version: '22.10.5.0' });
    await refused(url, StoreUnusable, /is 22\.10\.5\.0: it must be 23\.10 or newer/);
  });

  it.each([
    ['', /must have the form/],
    ['http://127.0.0.1:2113', /must have the form/],
    ['esdb://', /must have the form/],
    ['esdb://127.0.0.1/a.b', /log's name/],
    ['esdb://127.0.0.1/a/b', /must have the form/],
    ['esdb://127.0.0.1?tsl=false', /'tsl' is not known/],
    ['esdb://secret@127.0.0.1', /user:password/],
    ['esdb://127.0.0.1:port', /cannot be used/],
    ['esdb://127.0.0.1?tlsCAFile=/none', /certificate file/],
  ])('refuses the URL %j', async (url, why) => {
    await refused(url, StoreUnusable, why);
  });

  it('refuses the other client in the same process', async () => {
    await (await start()).stop();
    await refused(`kurrentdb://127.0.0.1:${await freePort()}?tls=false`, StoreUnusable, /exclude each other/);
  });
});
