import {
  AccessDeniedError,
  BACKWARDS,
  END,
  EventStoreDBClient,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../../support/eventstoredb/certificate.js';
import {
  type EventStoreServer,
  startEventStoreServer,
  testEventStoreUrl,
} from '../../support/eventstoredb/server.js';
import { eventually } from '../../support/eventually.js';
import { append, event, events, listen, places, positionOf, rejection } from './spec-kit.js';

const connect = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

describe('the process of the EventStoreDB test server', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-eventstoredb-spec-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('keeps what it acknowledged over SIGKILL, at the same positions', async () => {
    const dataDir = join(folder, 'killed');
    let server = await startEventStoreServer({ dataDir });
    const { port } = server;
    const acknowledged = new Map<string, bigint>();
    for (let round = 0; round < 3; round++) {
      const log = connect(server.url);
      let writing = true;
      const writers = Array.from({ length: 16 }, async (_, writer) => {
        for (let n = 0; writing; n++) {
          const name = `kept-${round}-${writer}-${n}`;
          const answer = await append(log, name, 'no_stream', events(1 + (n % 3))).catch(() => null);
          if (!answer) return;
          acknowledged.set(name, positionOf(answer).commit);
        }
      });
      const goal = 100 * (round + 1);
      await eventually(() => acknowledged.size >= goal);
      await server.kill();
      writing = false;
      await Promise.all(writers);
      await log.dispose();
      server = await startEventStoreServer({ dataDir, port });
    }
    const log = connect(server.url);
    const kept = new Map<string, bigint>();
    let last = -1n;
    for await (const { event } of log.readAll()) {
      expect(event!.position.commit).toBeGreaterThan(last);
      last = event!.position.commit;
      kept.set(event!.streamId, last);
    }
    for (const [stream, position] of acknowledged)
      expect([stream, kept.get(stream)]).toEqual([stream, position]);
    await log.dispose();
    await server.stop();
  });

  it('has after a restart the former appends, deletions and positions', async () => {
    const dataDir = join(folder, 'restarted');
    let server = await startEventStoreServer({ dataDir });
    const before = connect(server.url);
    const batch = events(3);
    const first = await append(before, 'sent', 'no_stream', batch);
    await append(before, 'deleted', 'no_stream', event());
    await before.deleteStream('deleted');
    await before.dispose();
    await server.stop();
    server = await startEventStoreServer({ dataDir });
    const after = connect(server.url);
    expect(await append(after, 'sent', 'no_stream', batch)).toEqual(first);
    expect(await append(after, 'sent', 'any', batch)).toEqual(first);
    expect(await rejection(places(after.readStream('deleted')))).toBeInstanceOf(StreamNotFoundError);
    expect((await append(after, 'deleted', 'no_stream', event())).nextExpectedRevision).toBe(1n);
    await after.dispose();
    await server.stop();
  });

  it('reads after a restart events that are only on disk', async () => {
    const dataDir = join(folder, 'cold');
    let server = await startEventStoreServer({ dataDir });
    const before = connect(server.url);
    const large = event('made', { pad: 'x'.repeat(1_000_000) });
    await Promise.all([
      append(before, 'large', 'no_stream', large).then(() => append(before, 'large', 0n, events(3))),
      ...Array.from({ length: 300 }, (_, n) => append(before, `small-${n % 7}`, 'any', event())),
    ]);
    // After this one, no write is in progress.
    await server.admin.writeSystemEvents(1);
    const all = await places(before.readAll());
    await before.dispose();
    await server.stop();
    server = await startEventStoreServer({ dataDir, faults: { systemEventEvery: 0 } });
    const after = connect(server.url);
    expect(await places(after.readStream('large', { maxCount: 2 }))).toEqual(['large@0', 'large@1']);
    const backward = after.readAll({ fromPosition: END, direction: BACKWARDS });
    expect(await places(backward)).toEqual([...all].reverse());
    expect(await places(after.readAll())).toEqual(all);
    await after.dispose();
    await server.stop();
  });

  it('ends subscriptions when it stops, and accepts the same client after a restart', async () => {
    const dataDir = join(folder, 'ended');
    let server = await startEventStoreServer({ dataDir });
    const { port } = server;
    const log = connect(server.url);
    const heard = listen(log);
    await eventually(() => heard.caughtUp === 1);
    await server.stop();
    await eventually(() => heard.error !== null);
    expect(await rejection(append(log, 'away', 'no_stream', event()))).toMatchObject({ code: 14 });
    server = await startEventStoreServer({ dataDir, port });
    await append(log, 'back', 'no_stream', event());
    const again = listen(log);
    await eventually(() => again.events.at(-1)?.streamId === 'back');
    await log.dispose();
    await server.stop();
  });

  it('is found as a cluster of one node', async () => {
    const server = await startEventStoreServer();
    const log = connect(server.url.replace('esdb://', 'esdb+discover://'));
    await append(log, 'discovered', 'no_stream', event());
    expect(await places(log.readStream('discovered', { requiresLeader: true }))).toEqual(['discovered@0']);
    await log.dispose();
    await server.stop();
  });

  it('prints why it does not start', async () => {
    const server = await startEventStoreServer();
    await expect(startEventStoreServer({ port: server.port })).rejects.toThrow(/EADDRINUSE/);
    await server.stop();
  });

  it('gives each caller a log of its own', async () => {
    const [one, other] = [await testEventStoreUrl(), await testEventStoreUrl()];
    expect(one.url).toMatch(/^esdb:\/\/.*\/test[0-9a-f]{12}\?/);
    expect(other.url).not.toBe(one.url);
    await one.stop();
    await one.stop();
    const log = connect(other.url.replace(/\/test[0-9a-f]+/, ''));
    await append(log, 'still-there', 'no_stream', event());
    await log.dispose();
    await other.stop();
  });

  describe('with TLS and credentials', () => {
    const right = { username: 'admin', password: 'a secret/?' };
    let server: EventStoreServer;
    beforeAll(async () => {
      server = await startEventStoreServer({ tls: await makeCertificate(folder), credentials: right });
    });
    afterAll(() => server.stop());

    it('serves a client that has them', async () => {
      const log = connect(server.url);
      await log.appendToStream('secured', event(), { expectedRevision: 'no_stream', credentials: right });
      expect(await places(log.readStream('secured'))).toEqual(['secured@0']);
      await log.dispose();
    });

    it.each([
      ['wrong ones', { credentials: { username: 'admin', password: 'another' } }],
      ['none', {}],
    ])('refuses whoever has %s', async (_, options) => {
      const log = connect(server.url.replace(/\/\/.*@/, '//'));
      expect(await rejection(places(log.readStream('secured', options)))).toBeInstanceOf(AccessDeniedError);
      await log.dispose();
    });
  });
});
