import { describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { START, type FeedItem, type Position } from '../../core/event-store.js';
import type { Observer, RawEvent, RawPosition } from './drivers/driver.js';
import { LogFeed } from './feed.js';
import { Page } from './page.js';
import { LogNames, toPosition } from './record.js';
import { Head, LIMITS, type Limits, type Server } from './server.js';

const raw = (place: number): RawPosition => ({ commit: BigInt(place), prepare: BigInt(place) });
const at = (place: number): Position => toPosition(raw(place));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A feed whose log has no page, and a server that delivers what a test says. */
const rig = (limits: Partial<Limits> = {}) => {
  const subscriptions: { readonly observer: Observer; readonly signal: AbortSignal }[] = [];
  const origin = at(5);
  const troubles: string[] = [];
  const server = {
    onTrouble: (sentence: string) => troubles.push(sentence),
    ...{ origin, address: 'here', names: new LogNames('a'), limits: { ...LIMITS, ...limits } },
    ...{ closing: new AbortController().signal, head: new Head(async () => [], origin) },
    bulk: { run: async () => undefined },
    interactive: {
      hold: (begin: (client: unknown) => unknown, signal: AbortSignal) =>
        new Promise<void>(() =>
          begin({
            subscribe: (_: unknown, __: unknown, observer: Observer) =>
              subscriptions.push({ observer, signal }),
          }),
        ),
    },
  } as unknown as Server;
  const consumer = new AbortController();
  const items: FeedItem[] = [];
  const feeding = (async () => {
    for await (const item of new LogFeed(server, START, consumer.signal).items()) items.push(item);
  })();
  const event = (place: number, size = 1, stream = 'a.role-1'): RawEvent => ({
    ...{ streamId: stream, revision: 0n, id: randomUUID(), type: 'a' },
    ...{ data: Buffer.alloc(size), metadata: Buffer.alloc(0), position: raw(place) },
  });
  const end = async (): Promise<void> => {
    consumer.abort();
    await feeding;
  };
  const places = (): readonly string[] =>
    items.map((item) => (item.kind === 'live' ? 'live' : `${item.kind} ${item.position}`));
  return { subscriptions, event, items, places, consumer, end, server, troubles };
};

const begun = async (limits?: Partial<Limits>) => {
  const made = rig(limits);
  while (made.subscriptions.length === 0) await turn();
  return { ...made, ...made.subscriptions[0]! };
};

describe('a live feed', () => {
  it('passes no place behind the log’s last event: a view there would be taken for another log’s', async () => {
    const { observer, event, places, end } = await begun();
    observer.passed(raw(20));
    await turn();
    expect(places()).toEqual(['live']);
    observer.event(event(30));
    await turn();
    observer.passed(raw(29));
    observer.passed(raw(40));
    await turn();
    expect(places()).toEqual(['live', `event ${at(30)}`]);
    await end();
  });

  it('gives each event once, in order, and none of another log', async () => {
    const { observer, event, places, end } = await begun();
    for (const place of [10, 11, 10, 11]) observer.event(event(place));
    observer.event(event(12, 1, 'b.role-1'));
    observer.event(event(13));
    await turn();
    expect(places()).toEqual(['live', ...[10, 11, 13].map((place) => `event ${at(place)}`)]);
    await end();
  });

  it('passes nothing behind an event that comes without its position, as no page does', async () => {
    const { observer, event, places, signal, troubles, end } = await begun();
    observer.event(event(10));
    observer.event({ ...event(11), position: undefined });
    observer.event(event(12));
    await turn();
    expect(places()).toEqual(['live', `event ${at(10)}`]);
    expect([signal.aborted, ...troubles]).toEqual([true, expect.stringContaining('without its position')]);
    await end();
  });

  it.each([
    ['events', { bufferEvents: 3 }, 1],
    ['bytes', { bufferBytes: 300 }, 100],
  ] as const)(
    'closes a subscription whose buffer is full of %s, and loses none of it',
    async (_, limits, size) => {
      const { observer, event, places, signal, end } = await begun(limits);
      // One at a time they never fill it.
      for (const place of [10, 11, 12, 13]) {
        observer.event(event(place, size));
        await turn();
      }
      expect(signal.aborted).toBe(false);
      for (const place of [20, 21, 22]) observer.event(event(place, size));
      expect(signal.aborted).toBe(true);
      await turn();
      expect(places()).toHaveLength(8);
      await end();
    },
  );

  it('leaves no listener on its consumer’s signal, and ends its subscription', async () => {
    const { consumer, signal, end } = await begun();
    await end();
    expect(getEventListeners(consumer.signal, 'abort')).toEqual([]);
    expect(signal.aborted).toBe(true);
  });

  it('checks no subscription that has ended', async () => {
    const [made, cleared] = [jest.spyOn(globalThis, 'setInterval'), jest.spyOn(globalThis, 'clearInterval')];
    try {
      const { end } = await begun();
      await end();
      const timers = made.mock.results.map(({ value }) => value);
      expect(timers).toHaveLength(1);
      expect(cleared.mock.calls.flat()).toEqual(timers);
    } finally {
      made.mockRestore();
      cleared.mockRestore();
    }
  });
});

describe('a page of the log', () => {
  it('leaves no listener on its signal', async () => {
    const { server, end } = await begun();
    const { signal } = new AbortController();
    expect(await new Page(server, START, 9, signal).take()).toBeNull();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await end();
  });
});
