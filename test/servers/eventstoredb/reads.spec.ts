import {
  BACKWARDS,
  END,
  type Position,
  START,
  StreamNotFoundError,
  UnknownError,
} from '@eventstore/db-client';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { append, event, events, places, positionOf, rejection, withServer } from './spec-kit.js';

describe('reads from the EventStoreDB test server', () => {
  const { client, server } = withServer({ faults: { systemEventEvery: 2 } });
  /** The positions of the events of stream `a`, which are among others. */
  const at: Position[] = [];

  beforeAll(async () => {
    const log = client();
    for (let n = 0; n < 5; n++) {
      at.push(
        positionOf(await append(log, 'a', n === 0 ? 'no_stream' : BigInt(n - 1), event('made', { n }))),
      );
      await append(log, 'b', n === 0 ? 'no_stream' : BigInt(n - 1), event('other'));
    }
  });

  const own = (found: readonly string[]): string[] => found.filter((place) => !place.startsWith('$'));

  it('reads $all forward from a position with its record included, and backward without', async () => {
    const log = client();
    const forward = own(await places(log.readAll({ fromPosition: at[2]! })));
    expect(forward).toEqual(['a@2', 'b@2', 'a@3', 'b@3', 'a@4', 'b@4']);
    const backward = own(await places(log.readAll({ fromPosition: at[2]!, direction: BACKWARDS })));
    expect(backward).toEqual(['b@1', 'a@1', 'b@0', 'a@0']);
  });

  it('takes a checkpoint (C, 0) for everything before C', async () => {
    const log = client();
    const fromPosition = { commit: at[2]!.commit, prepare: 0n };
    expect(own(await places(log.readAll({ fromPosition })))[0]).toBe('a@2');
    expect(own(await places(log.readAll({ fromPosition, direction: BACKWARDS })))[0]).toBe('b@1');
  });

  it('reads nothing from the end forward, and all of it backward', async () => {
    const log = client();
    expect(await places(log.readAll({ fromPosition: END }))).toEqual([]);
    const all = await places(log.readAll({ fromPosition: START }));
    expect(await places(log.readAll({ fromPosition: END, direction: BACKWARDS }))).toEqual(all.reverse());
    expect(await places(log.readAll({ fromPosition: START, direction: BACKWARDS }))).toEqual([]);
  });

  it('has events of its own among those of its users', async () => {
    const all = await places(client().readAll());
    expect(all[0]).toMatch(/^\$/);
    expect(all.filter((place) => place.startsWith('$stats-')).length).toBeGreaterThan(2);
  });

  it.each(['forwards', 'backwards'] as const)(
    'does not read %s from between two records',
    async (direction) => {
      const fromPosition = { commit: at[2]!.commit + 1n, prepare: at[2]!.commit + 1n };
      const error = await rejection(places(client().readAll({ fromPosition, direction })));
      expect(error).toBeInstanceOf(UnknownError);
      expect(error).toMatchObject({ code: 2 });
    },
  );

  it('ends after the requested number', async () => {
    const log = client();
    expect(own(await places(log.readAll({ fromPosition: at[0]!, maxCount: 2 })))).toEqual(['a@0', 'b@0']);
    expect(await places(log.readStream('a', { maxCount: 2 }))).toEqual(['a@0', 'a@1']);
  });

  it('reads a stream in both directions, both ends inclusive', async () => {
    const log = client();
    expect(await places(log.readStream('a', { fromRevision: 3n }))).toEqual(['a@3', 'a@4']);
    const backward = { direction: BACKWARDS, fromRevision: 1n } as const;
    expect(await places(log.readStream('a', backward))).toEqual(['a@1', 'a@0']);
    expect(await places(log.readStream('a', { ...backward, fromRevision: END, maxCount: 1 }))).toEqual([
      'a@4',
    ]);
    expect(await places(log.readStream('a', { fromRevision: 9n }))).toEqual([]);
  });

  it('reports that a stream does not exist', async () => {
    const error = await rejection(places(client().readStream('absent')));
    expect(error).toBeInstanceOf(StreamNotFoundError);
    expect(error).toMatchObject({ streamName: 'absent' });
  });

  it('hands data, metadata and the time over as they were written', async () => {
    const log = client();
    const before = Date.now();
    const given = { ...event('told', { ä: '😀', list: [1, null] }), metadata: { actor: 'me' } };
    await append(log, 'told', 'no_stream', given);
    for await (const { event } of log.readStream('told')) {
      expect(event).toMatchObject({
        id: given.id,
        type: 'told',
        data: given.data,
        metadata: { actor: 'me' },
      });
      expect(event!.created.getTime()).toBeGreaterThanOrEqual(before);
    }
  });

  it('writes events of its own on request', async () => {
    const log = client();
    await append(log, 'last', 'no_stream', events(1));
    await server().admin.writeSystemEvents(3);
    const tail = await places(log.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 3 }));
    expect(own(tail)).toEqual([]);
  });
});
