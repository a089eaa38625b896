import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { collect } from '../../../test/contracts/event-store-kit.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import type { EncodedEvent, Position, RecordedEvent, StreamName } from '../../core/event-store.js';
import { tail, type TailOptions } from './tail.js';

const event = (type: string): EncodedEvent => ({
  id: randomUUID(),
  type,
  data: Buffer.from('{"data":{}}'),
  metadata: Buffer.from('{"schemaVersion":1}'),
});

const arrange = async () => {
  const log = new MemoryEventStore();
  const revisions = new Map<string, number>();
  const add = async (stream: string, type: string): Promise<void> => {
    const revision = revisions.get(stream);
    await log.append(stream as StreamName, revision ?? 'no-stream', [event(type)]);
    revisions.set(stream, (revision ?? -1) + 1);
  };
  await add('role-1', 'created');
  await add('person-1', 'created');
  await add('role-1', 'updated');
  await add('role-2', 'created');
  const at = (index: number): Position => log.log[index]!.position;
  return { log, add, at };
};

const signal = new AbortController().signal;
const EVERYTHING: TailOptions = {
  ...{ from: 'start', types: null, prefix: '', follow: false, limit: Infinity, signal },
};

const named = (events: readonly RecordedEvent[]) => events.map(({ stream, type }) => `${stream} ${type}`);

describe('events tail', () => {
  it('gives the log in its order, those that were asked for', async () => {
    const { log } = await arrange();
    const given = async (options: Partial<TailOptions>) =>
      named(await collect(tail(log, { ...EVERYTHING, ...options })));
    expect(await given({})).toEqual([
      'role-1 created',
      'person-1 created',
      'role-1 updated',
      'role-2 created',
    ]);
    expect(await given({ prefix: 'role-', types: new Set(['created']) })).toEqual([
      'role-1 created',
      'role-2 created',
    ]);
    expect(await given({ prefix: 'role-', limit: 2 })).toEqual(['role-1 created', 'role-1 updated']);
    expect(await given({ from: 'now' })).toEqual([]);
  });

  it('gives the last ones in their order, by default and before it follows', async () => {
    const { log, add } = await arrange();
    const given = async (options: Partial<TailOptions>) =>
      named(await collect(tail(log, { ...EVERYTHING, from: 'last', ...options })));
    expect(await given({ limit: 2 })).toEqual(['role-1 updated', 'role-2 created']);
    expect(await given({ limit: 1, types: new Set(['created']), prefix: 'role-1' })).toEqual([
      'role-1 created',
    ]);
    expect(await given({ limit: 9 })).toHaveLength(4);
    const stop = new AbortController();
    const following = given({ limit: 1, prefix: 'role-', follow: true, signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await add('person-1', 'updated');
    await add('role-3', 'created');
    await add('role-3', 'updated');
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    expect(await following).toEqual(['role-2 created', 'role-3 created', 'role-3 updated']);
  });

  it('begins with the event at a position', async () => {
    const { log, at } = await arrange();
    for (const follow of [false, true]) {
      const given = await collect(tail(log, { ...EVERYTHING, from: at(2), follow, limit: 2 }));
      expect(named(given)).toEqual(['role-1 updated', 'role-2 created']);
    }
  });

  it('ends where the log ended when it was asked', async () => {
    const { log, add } = await arrange();
    const seen: string[] = [];
    // Like the stores, which read page by page, each page as of its reading.
    const paging = {
      ...{ head: () => log.head(), subscribeToAll: log.subscribeToAll.bind(log) },
      readAll: async function* () {
        yield* log.log;
      },
    };
    for await (const { stream } of tail(paging, EVERYTHING)) {
      seen.push(stream);
      if (seen.length < 9) await add('role-9', 'created');
    }
    expect(seen).toEqual(['role-1', 'person-1', 'role-1', 'role-2']);
  });

  it.each(['start', 'now'] as const)(
    'follows from %s, each event once, until it is stopped',
    async (from) => {
      const { log, add } = await arrange();
      const stop = new AbortController();
      const seen: RecordedEvent[] = [];
      const following = (async () => {
        for await (const one of tail(log, { ...EVERYTHING, from, follow: true, signal: stop.signal })) {
          seen.push(one);
          if (one.type === 'last') stop.abort();
        }
      })();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await add('role-3', 'created');
      await add('role-3', 'last');
      await following;
      expect(named(seen)).toEqual([
        ...(from === 'now' ? [] : named(log.log.slice(0, 4))),
        ...['role-3 created', 'role-3 last'],
      ]);
    },
  );

  it('waits for a position that is yet to come', async () => {
    const { log, add, at } = await arrange();
    const beyond = `${at(3).slice(0, -1)}6` as Position;
    const following = collect(tail(log, { ...EVERYTHING, from: beyond, follow: true, limit: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await add('role-3', 'fifth');
    await add('role-3', 'sixth');
    expect(named(await following)).toEqual(['role-3 sixth']);
  });
});
