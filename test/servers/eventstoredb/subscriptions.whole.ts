import {
  END,
  eventTypeFilter,
  excludeSystemEvents,
  type Position,
  streamNameFilter,
  TimeoutError,
  UnknownError,
} from '@eventstore/db-client';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { append, close, event, events, listen, positionOf, withServer } from './spec-kit.js';

const COUNT = 60;

describe('subscriptions to the EventStoreDB test server', () => {
  const { client, server } = withServer({ faults: { systemEventEvery: 3 } });
  const at: Position[] = [];

  beforeAll(async () => {
    const log = client();
    for (let n = 0; n < COUNT; n++) {
      const type = n % 10 === 0 ? 'rare' : 'usual';
      at.push(positionOf(await append(log, `name.stream-${n % 5}`, 'any', event(type, { n }))));
    }
  });

  const numbers = (heard: { events: { data: unknown; streamId: string }[] }): number[] =>
    heard.events
      .filter(({ streamId }) => streamId.startsWith('name.'))
      .map(({ data }) => (data as { n: number }).n);
  const from = (n: number): number[] => Array.from({ length: COUNT - n }, (_, k) => n + k);

  it('delivers everything from the start, then what is appended, and has caught up once', async () => {
    const log = client();
    const heard = listen(log);
    await eventually(() => heard.caughtUp === 1);
    await eventually(() => numbers(heard).length === COUNT);
    expect(heard.events.some(({ streamId }) => streamId.startsWith('$'))).toBe(true);
    const live = Array.from({ length: 40 }, (_, k) => event('made', { n: COUNT + k }));
    await append(log, 'name.live', 'any', live);
    await eventually(() => numbers(heard).length === COUNT + 40);
    expect(numbers(heard)).toEqual(Array.from({ length: COUNT + 40 }, (_, n) => n));
    expect([heard.caughtUp, heard.error]).toEqual([1, null]);
    await close(heard);
  });

  it('continues after a position, exclusive', async () => {
    const heard = listen(client(), {
      fromPosition: at[41]!,
      filter: streamNameFilter({ prefixes: ['name.s'] }),
    });
    await eventually(() => heard.caughtUp === 1);
    await eventually(() => numbers(heard).length >= COUNT - 42);
    expect(numbers(heard)).toEqual(from(42));
    await close(heard);
  });

  it('delivers from the end only what is appended', async () => {
    const log = client();
    const heard = listen(log, { fromPosition: END, filter: excludeSystemEvents() });
    await eventually(() => heard.caughtUp === 1);
    await append(log, 'from-the-end', 'no_stream', event('only', { n: 1 }));
    await eventually(() => heard.events.length > 0);
    expect(heard.events.map(({ streamId }) => streamId)).toEqual(['from-the-end']);
    expect(heard.checkpoints).toEqual([]);
    await close(heard);
  });

  it.each([
    ['prefixes of types', eventTypeFilter({ prefixes: ['rare', 'else'] }), [0, 10, 20, 30, 40, 50]],
    ['an expression over types', eventTypeFilter({ regex: '^ra.e$' }), [0, 10, 20, 30, 40, 50]],
    [
      'prefixes of streams',
      streamNameFilter({ prefixes: ['name.stream-4'] }),
      from(0).filter((n) => n % 5 === 4),
    ],
    ['an expression over streams', streamNameFilter({ regex: '-[4]$' }), from(0).filter((n) => n % 5 === 4)],
  ])('filters by %s', async (_, filter, expected) => {
    const heard = listen(client(), { filter });
    await eventually(() => heard.caughtUp === 1);
    await eventually(() => heard.events.length >= expected.length);
    expect(numbers(heard)).toEqual(expected);
    await close(heard);
  });

  it('gives checkpoints from which a subscription continues without a gap', async () => {
    const log = client();
    const filter = eventTypeFilter({ prefixes: ['rare'], maxSearchWindow: 7, checkpointInterval: 1 });
    const heard = listen(log, { filter });
    await eventually(() => heard.caughtUp === 1);
    await eventually(() => heard.events.length >= 6);
    await close(heard);
    expect(heard.checkpoints.length).toBeGreaterThan(10);
    const places = new Set(heard.events.map(({ position }) => position.commit));
    for (const { commit, prepare } of heard.checkpoints)
      expect(prepare).toBe(places.has(commit) ? commit : 0n);
    expect(heard.checkpoints.some(({ prepare }) => prepare === 0n)).toBe(true);
    const commits = heard.checkpoints.map(({ commit }) => commit);
    expect(commits).toEqual([...commits].sort((a, b) => (a < b ? -1 : 1)));
    for (const fromPosition of heard.checkpoints) {
      const again = listen(log, { fromPosition, filter });
      const left = heard.events.filter(({ position }) => position.commit > fromPosition.commit);
      await eventually(() => again.caughtUp === 1);
      await eventually(() => again.events.length >= left.length);
      expect(again.events.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
      await close(again);
    }
  });

  it('skips the record after a place between two records, as the real server does', async () => {
    const filter = streamNameFilter({ prefixes: ['name.s'] });
    const heard = listen(client(), { fromPosition: { commit: at[41]!.commit, prepare: 0n }, filter });
    await eventually(() => numbers(heard).length >= COUNT - 42);
    expect(numbers(heard)).toEqual(from(42));
    await close(heard);
  });

  it('gives a live one a checkpoint after as many events as it asked for, and an idle one none', async () => {
    const log = client();
    const filter = eventTypeFilter({ prefixes: ['none'], maxSearchWindow: 5, checkpointInterval: 2 });
    const heard = listen(log, { fromPosition: END, filter });
    await eventually(() => heard.caughtUp === 1);
    const tenth = positionOf(await append(log, 'looked-at', 'no_stream', events(10)));
    await eventually(() => heard.checkpoints.length > 0);
    expect(heard.checkpoints).toEqual([tenth]);
    await close(heard);
  });

  it('refuses a position without a record', async () => {
    const commit = at[3]!.commit + 2n;
    const heard = listen(client(), { fromPosition: { commit, prepare: commit } });
    await eventually(() => heard.error !== null);
    expect(heard.error).toBeInstanceOf(UnknownError);
    expect(heard.error).toMatchObject({ code: 2 });
  });

  it('subscribes to one stream, after a revision, also to one that does not exist yet', async () => {
    const log = client();
    const seen: string[] = [];
    const known = log.subscribeToStream('name.stream-1', { fromRevision: 9n });
    const unknown = log.subscribeToStream('later');
    for (const subscription of [known, unknown]) {
      subscription.on('data', ({ event }) => seen.push(`${event?.streamId}@${event?.revision}`));
    }
    await append(log, 'later', 'no_stream', event());
    await eventually(() => seen.length >= 3);
    expect(seen.sort()).toEqual(['later@0', 'name.stream-1@10', 'name.stream-1@11']);
    await Promise.all([known.unsubscribe(), unknown.unsubscribe()]);
  });

  it('removes a slow consumer once it is live', async () => {
    const log = client();
    const subscription = log.subscribeToAll({ fromPosition: END });
    await new Promise((resolve) => subscription.once('caughtUp', resolve));
    const slow = (async () => {
      let taken = 0;
      for await (const { event } of subscription) {
        if (event) taken++;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return taken;
    })();
    const outcome = slow.catch((error: unknown) => error);
    const pad = 'x'.repeat(1_000);
    for (let n = 0; n < 20; n++) {
      const batch = Array.from({ length: 50 }, () => event('made', { pad }));
      await append(log, 'too-much', n === 0 ? 'no_stream' : BigInt(50 * n - 1), batch);
    }
    const error = await outcome;
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toContain('Consumer too slow to handle event while live.');
  });

  it('removes every consumer on request', async () => {
    const heard = listen(client());
    await eventually(() => heard.caughtUp === 1);
    await server().admin.dropSubscriptions();
    await eventually(() => heard.error !== null);
    expect(heard.error).toBeInstanceOf(TimeoutError);
  });
});
