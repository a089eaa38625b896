import {
  binaryEvent,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { append, event, events, places, positionOf, rejection, withServer } from './spec-kit.js';

const KIBIBYTE = 1024;

describe('appends to the EventStoreDB test server', () => {
  const { client } = withServer();

  it('answers the last revision and the last position, commit equal to prepare and ever higher', async () => {
    const log = client();
    const first = await append(log, 'answers', 'no_stream', events(3));
    const second = await append(log, 'answers', 2n, event());
    expect([first.nextExpectedRevision, second.nextExpectedRevision]).toEqual([2n, 3n]);
    for (const answer of [first, second]) expect(positionOf(answer).prepare).toBe(positionOf(answer).commit);
    expect(positionOf(second).commit - positionOf(first).commit).toBeGreaterThan(50n);
  });

  it('gives the first answer to what is sent again, also after later events and with other data', async () => {
    const log = client();
    const batch = events(2);
    const first = await append(log, 'again', 'no_stream', batch);
    await append(log, 'again', 1n, events(3));
    expect(await append(log, 'again', 'no_stream', batch)).toEqual(first);
    const other = batch.map(({ id }) => ({ ...event('other', { data: 'of another kind' }), id }));
    expect(await append(log, 'again', 'no_stream', other)).toEqual(first);
    expect(await places(log.readStream('again'))).toHaveLength(5);
  });

  it('gives the first answer with the looser expectations, too', async () => {
    const log = client();
    const batch = events(2);
    const first = await append(log, 'loose', 'any', batch);
    await append(log, 'loose', 'stream_exists', event());
    expect(await append(log, 'loose', 'any', batch)).toEqual(first);
    expect(await append(log, 'loose', 'stream_exists', batch)).toEqual(first);
    expect(await rejection(append(log, 'not-there', 'stream_exists', event()))).toBeInstanceOf(
      WrongExpectedVersionError,
    );
  });

  it('refuses a batch of which only the beginning is known', async () => {
    const log = client();
    const known = event();
    await append(log, 'half-known', 'no_stream', known);
    const error = await rejection(append(log, 'half-known', 'no_stream', [known, event()]));
    expect(error).toBeInstanceOf(WrongExpectedVersionError);
    expect(await rejection(append(log, 'half-known', 'any', [known, event()]))).toBeInstanceOf(
      WrongExpectedVersionError,
    );
  });

  it('stores an id twice if it is twice in one append, or in two streams', async () => {
    const log = client();
    const twice = event();
    await append(log, 'twice', 'no_stream', [twice, twice]);
    await append(log, 'elsewhere', 'no_stream', twice);
    expect(await places(log.readStream('twice'))).toEqual(['twice@0', 'twice@1']);
    expect(await places(log.readStream('elsewhere'))).toEqual(['elsewhere@0']);
  });

  it.each([
    ['no_stream', 'no_stream', 4n],
    [2n, 2n, 4n],
    [7n, 7n, 4n],
  ] as const)('tells a writer who expects %s where the stream stands', async (expected, told, actual) => {
    const log = client();
    await append(log, `conflict-${expected}`, 'no_stream', events(5));
    const error = await rejection(append(log, `conflict-${expected}`, expected, event()));
    expect(error).toBeInstanceOf(WrongExpectedVersionError);
    expect(error).toMatchObject({ message: '', expectedVersion: told, actualVersion: actual });
  });

  it('reports that there is no stream', async () => {
    expect(await rejection(append(client(), 'never-made', 3n, event()))).toMatchObject({
      actualVersion: 'no_stream',
    });
  });

  it('lets one of many writers win each revision', async () => {
    const log = client();
    const race = await Promise.allSettled(
      Array.from({ length: 20 }, () => append(log, 'race', 'no_stream', event())),
    );
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await places(log.readStream('race'))).toEqual(['race@0']);
  });

  it('takes 1 MiB in one append and no byte more, the type counted twice', async () => {
    const log = client();
    const half = (bytes: number) =>
      binaryEvent({
        type: 'abcd',
        data: new Uint8Array(bytes - 8 - KIBIBYTE),
        metadata: new Uint8Array(KIBIBYTE),
      });
    const fits = [half(512 * KIBIBYTE), half(512 * KIBIBYTE)];
    expect((await append(log, 'large', 'no_stream', fits)).nextExpectedRevision).toBe(1n);
    const error = await rejection(append(log, 'larger', 'no_stream', [half(512 * KIBIBYTE + 1), fits[1]!]));
    expect(error).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(error).toMatchObject({ maxAppendSize: KIBIBYTE * KIBIBYTE });
    expect(await rejection(places(log.readStream('larger')))).toBeInstanceOf(StreamNotFoundError);
    const sizes: number[] = [];
    for await (const { event } of log.readStream('large')) sizes.push((event!.data as Uint8Array).length);
    expect(sizes).toEqual([512 * KIBIBYTE - 8 - KIBIBYTE, 512 * KIBIBYTE - 8 - KIBIBYTE]);
  });

  it('accepts an append without events, and stores nothing', async () => {
    const log = client();
    expect(await append(log, 'nothing', 'no_stream', [])).toMatchObject({ success: true });
    expect(await rejection(places(log.readStream('nothing')))).toBeInstanceOf(StreamNotFoundError);
  });

  it('takes streams of any name', async () => {
    const log = client();
    const name = 'a log.with/ümläuts-and 😀 of more than two hundred characters '.repeat(5);
    await append(log, name, 'no_stream', event());
    expect(await places(log.readStream(name))).toEqual([`${name}@0`]);
  });

  it('continues the numbering after a deletion, but never after a permanent one', async () => {
    const log = client();
    await append(log, 'deleted', 'no_stream', events(3));
    await log.deleteStream('deleted', { expectedRevision: 2n });
    expect(await rejection(places(log.readStream('deleted')))).toBeInstanceOf(StreamNotFoundError);
    expect((await append(log, 'deleted', 'no_stream', event())).nextExpectedRevision).toBe(3n);
    expect(await places(log.readStream('deleted'))).toEqual(['deleted@3']);
    await log.tombstoneStream('deleted');
    expect(await rejection(places(log.readStream('deleted')))).toBeInstanceOf(StreamDeletedError);
    expect(await rejection(append(log, 'deleted', 'no_stream', event()))).toBeInstanceOf(StreamDeletedError);
  });

  it('serves the batch path of a client that gives no credentials', async () => {
    const log = client();
    const batch = events(2);
    const first = await log.appendToStream('batched', batch, { expectedRevision: 'no_stream' });
    expect(first.nextExpectedRevision).toBe(1n);
    expect(await append(log, 'batched', 'no_stream', batch)).toEqual(first);
    const conflict = log.appendToStream('batched', event(), { expectedRevision: 'no_stream' });
    expect(await rejection(conflict)).toMatchObject({ expectedVersion: 'no_stream', actualVersion: 1n });
    const tooLarge = event('made', { pad: 'x'.repeat(KIBIBYTE * KIBIBYTE) });
    expect(await rejection(log.appendToStream('batched', tooLarge))).toBeInstanceOf(
      MaxAppendSizeExceededError,
    );
  });
});
