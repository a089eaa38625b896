import {
  AccessDeniedError,
  DeadlineExceededError,
  NotLeaderError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { eventually } from '../../support/eventually.js';
import {
  append,
  close,
  credentials,
  event,
  events,
  listen,
  places,
  rejection,
  withServer,
} from './spec-kit.js';

const MAX_STREAMS = 100;

describe('faults of the EventStoreDB test server', () => {
  const { client, server } = withServer();
  afterEach(() => server().admin.clear());

  it.each([
    ['stored-reset', true],
    ['stored-silent', true],
    ['stored-timeout', true],
    ['lost-reset', false],
    ['lost-silent', false],
    ['lost-timeout', false],
  ] as const)('leaves the outcome of an append open: %s', async (fault, stored) => {
    const log = client();
    const [first, ...later] = events(3);
    await append(log, fault, 'no_stream', first!);
    await server().admin.failAppends(fault);
    // Only the silent fault ends by a timeout; the others always answer.
    const deadline = fault.endsWith('-silent') ? 1_000 : 30_000;
    const error = await rejection(append(log, fault, 0n, later, deadline));
    if (fault.endsWith('-timeout')) expect(error).toBeInstanceOf(TimeoutError);
    if (fault.endsWith('-silent')) expect(error).toBeInstanceOf(DeadlineExceededError);
    if (fault.endsWith('-reset')) expect(error).toMatchObject({ code: 14 });
    expect(await places(client().readStream(fault))).toHaveLength(stored ? 3 : 1);
    expect(await append(client(), fault, 0n, later)).toMatchObject({ nextExpectedRevision: 2n });
    expect(await places(client().readStream(fault))).toHaveLength(3);
  });

  it('applies a fault as often, and with the probability, that was set', async () => {
    const log = client();
    await server().admin.failAppends('lost-timeout', { times: 3 });
    await server().admin.failAppends('stored-timeout', { chance: 0.5, times: 1_000 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 103 }, (_, n) => append(log, `often-${n}`, 'no_stream', event())),
    );
    const failed = outcomes.filter(({ status }) => status === 'rejected').length;
    expect(failed).toBeGreaterThan(3 + 20);
    expect(failed).toBeLessThan(3 + 80);
  });

  it('drops a repeated append before the first is committed, and reports conflicts before readers see their cause', async () => {
    await server().admin.change({ commitMs: 300 });
    const log = client();
    const batch = events(2);
    const first = append(log, 'uncommitted', 'no_stream', batch);
    const refused = () => rejection(append(log, 'uncommitted', 7n, event()));
    let conflict = await refused();
    while ('actualVersion' in conflict && conflict.actualVersion === 'no_stream') conflict = await refused();
    expect(conflict).toMatchObject({ actualVersion: 1n });
    const again = rejection(append(log, 'uncommitted', 'no_stream', batch));
    expect(await rejection(places(log.readStream('uncommitted')))).toBeInstanceOf(StreamNotFoundError);
    expect(await first).toMatchObject({ success: true, nextExpectedRevision: 1n });
    expect(await again).toBeInstanceOf(TimeoutError);
    expect(await append(log, 'uncommitted', 'no_stream', batch)).toEqual(await first);
    expect(await places(log.readStream('uncommitted'))).toHaveLength(2);
  });

  it('refuses everything while it is unavailable', async () => {
    await server().admin.change({ unavailable: true });
    expect(await rejection(append(client(), 'unavailable', 'no_stream', event()))).toBeInstanceOf(
      UnavailableError,
    );
    expect(await rejection(places(client().readAll()))).toBeInstanceOf(UnavailableError);
    await server().admin.clear();
    expect(await append(client(), 'unavailable', 'no_stream', event())).toMatchObject({ success: true });
  });

  it('refuses every call while access is denied', async () => {
    await server().admin.change({ accessDenied: true });
    expect(await rejection(append(client(), 'denied', 'no_stream', event()))).toBeInstanceOf(
      AccessDeniedError,
    );
    expect(await rejection(places(client().readAll()))).toBeInstanceOf(AccessDeniedError);
  });

  it('redirects calls that require the leader to another node', async () => {
    await server().admin.change({ leader: { host: '127.0.0.1', port: 1 } });
    const log = client();
    const read = log.readStream('led', { requiresLeader: true });
    const error = await rejection(places(read));
    expect(error).toBeInstanceOf(NotLeaderError);
    expect(error).toMatchObject({ leader: { address: '127.0.0.1', port: 1 } });
    expect(await rejection(places(client().readStream('led')))).toBeInstanceOf(StreamNotFoundError);
  });

  it('answers late, or only after the fault is cleared', async () => {
    await server().admin.change({ delayMs: 300 });
    const began = Date.now();
    await append(client(), 'late', 'no_stream', event());
    expect(Date.now() - began).toBeGreaterThanOrEqual(295);
    await server().admin.change({ delayMs: 0, silent: true });
    const log = client();
    expect(await rejection(append(log, 'late', 0n, event(), 200))).toBeInstanceOf(DeadlineExceededError);
    const pending = append(log, 'silent', 'no_stream', event());
    await server().admin.clear();
    expect(await pending).toMatchObject({ success: true });
  });

  it('answers no ping while it is frozen, and pings alone while it is silent', async () => {
    const log = client();
    const session = connect(`http://127.0.0.1:${server().port}`).on('error', () => undefined);
    await once(session, 'connect');
    let pings = 0;
    const ping = (): boolean => session.ping(() => pings++);
    await server().admin.change({ silent: true });
    ping();
    await eventually(() => pings === 1);
    await server().admin.clear();
    const thawed = server().freeze(4_000);
    ping();
    expect(await rejection(append(log, 'frozen', 'no_stream', event(), 500))).toBeInstanceOf(
      DeadlineExceededError,
    );
    expect(pings).toBe(1);
    await thawed;
    await eventually(() => pings === 2);
    session.destroy();
  });

  it('ends subscriptions when it resets its connections', async () => {
    const log = client();
    const heard = listen(log);
    await eventually(() => heard.caughtUp === 1);
    expect(await server().admin.connections()).toBeGreaterThan(0);
    await server().admin.resetConnections();
    await eventually(() => heard.error !== null);
    expect([UnavailableError, UnknownError]).toContain(heard.error!.constructor);
    expect(await append(client(), 'after-the-reset', 'no_stream', event())).toMatchObject({ success: true });
  });

  it('serves 100 streams over one connection; an append that would be one more hangs', async () => {
    // Clients with equal settings share a connection: no other test has these settings.
    const log = client('&keepAliveInterval=12345');
    const heard = Array.from({ length: MAX_STREAMS }, () => listen(log));
    await eventually(() => heard.every(({ caughtUp }) => caughtUp === 1));
    const options = { expectedRevision: 'no_stream', credentials, deadline: 30_000 } as const;
    let settled = false;
    const hanging = log.appendToStream('one-too-many', event(), options).finally(() => (settled = true));
    await append(client('&keepAliveInterval=12346'), 'another-connection', 'no_stream', event());
    await eventually(() => heard.every(({ events }) => events.at(-1)?.streamId === 'another-connection'));
    expect(settled).toBe(false);
    await close(heard[0]!);
    expect(await hanging).toMatchObject({ success: true });
    await Promise.all(heard.slice(1).map(close));
  });
});
