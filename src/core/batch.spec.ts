import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { metadata, personWithKey, recordedTrial } from '../../test/support/encoded-events.js';
import { itemId, itemIds, linkedItems } from './batch.js';
import { commitmentOf, linkHash } from './chain.js';
import { disclose, storedLinks, verifyStored } from './codec-evidence.js';
import { createCodec } from './codec.js';
import { DamagedEvent } from './errors.js';
import type { RecordedEvent } from './event-store.js';
import type { AnyEvent } from './event.js';
import { defineEvents } from './registry.js';
import { Sealer } from './sealing.js';

const registry = defineEvents({ 'trial.did': { version: 1, batch: true } });
const open = async () => {
  const { vault, person } = await personWithKey();
  const sealer = new Sealer(vault);
  const codec = createCodec(registry, sealer);
  /** Stores things as events, so many together as `sizes` says, in turn. */
  const store = async (things: readonly object[], sizes: readonly number[]): Promise<RecordedEvent[]> => {
    const events: AnyEvent[] = [];
    for (let from = 0; from < things.length;) {
      const to = from + (sizes[events.length % sizes.length] ?? 1);
      const items = things.slice(from, to);
      const data = {
        session: 'one',
        sequenceNumber: from + 1,
        items: items.map((_, place) => ({ at: from + place })),
      };
      events.push({ type: 'trial.did', data, person, personal: { items } });
      from = to;
    }
    const { encoded } = await codec.encode(events, metadata, { previousHash: null });
    return recordedTrial(encoded);
  };
  return { vault, person, sealer, codec, store };
};

/** All links of a stream, each with what discloses it. */
const lines = async (events: readonly RecordedEvent[], sealer: Sealer) =>
  (
    await Promise.all(
      events.map(async (event) => {
        const disclosed = await disclose(event, sealer);
        return storedLinks(event).map((one, place) => ({
          ...one,
          disclosed: disclosed === null || disclosed === 'erased' ? null : disclosed[place]!,
        }));
      }),
    )
  ).flat();

const holds = (events: readonly RecordedEvent[]): boolean => {
  let previous: string | null = null;
  for (const event of events) {
    if (verifyStored(event, previous) !== null) return false;
    previous = storedLinks(event).at(-1)!.link.hash;
  }
  return true;
};

const things = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), {
  minLength: 1,
  maxLength: 40,
});
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });

describe('a batch', () => {
  it('is proved item by item as the same items stored one by one are', async () => {
    await fc.assert(
      fc.asyncProperty(things, sizes, async (given, cut) => {
        const { sealer, store } = await open();
        const told = async (events: readonly RecordedEvent[]) => {
          expect(holds(events)).toBe(true);
          const all = await lines(events, sealer);
          expect(new Set(all.map(({ content }) => content.eventId)).size).toBe(given.length);
          let previous = '0'.repeat(64);
          // Each line shows its place and text by what it says itself.
          for (const { link, content, disclosed } of all) {
            expect(content.eventId).toMatch(
              /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
            );
            expect(linkHash(previous, { ...content, commitment: commitmentOf(disclosed!) })).toBe(link.hash);
            expect(link.previousHash).toBe(previous);
            previous = link.hash;
          }
          return all.map(({ content, disclosed, sealed }) => ({
            ...{ ...content, eventId: null, commitment: null, plain: Buffer.from(content.plain).toString() },
            ...{ text: disclosed!.text, sealed },
          }));
        };
        const alone = await told(await store(given, [1]));
        expect(await told(await store(given, cut))).toEqual(alone);
        expect(alone.map(({ text }) => text)).toEqual(given.map((thing) => JSON.stringify(thing)));
        expect(alone[0]!.plain).toBe('{"session":"one","sequenceNumber":1,"at":0}');
      }),
      { numRuns: 50 },
    );
  });

  it('reads back as it was, and after the erasure without its items’ texts, its chain still holding', async () => {
    await fc.assert(
      fc.asyncProperty(things, sizes, async (given, cut) => {
        const { vault, person, codec, sealer, store } = await open();
        const events = await store(given, cut);
        const read = async () =>
          (await Promise.all(events.map(async (event) => codec.decode(event)))).map((decoded) => {
            if (decoded.kind !== 'event') throw new Error(decoded.kind);
            return decoded.event.personal as { readonly items: readonly object[] } | null;
          });
        expect(JSON.stringify((await read()).flatMap((part) => part?.items ?? []))).toBe(
          JSON.stringify(given),
        );
        const links = events.flatMap(storedLinks);
        await vault.keys.erase(person);
        expect(await read()).toEqual(events.map(() => null));
        expect(holds(events)).toBe(true);
        expect(events.flatMap(storedLinks)).toEqual(links);
        expect(await disclose(events[0]!, sealer)).toBe('erased');
      }),
      { numRuns: 20 },
    );
  });

  it('discloses an item by a salt of its own, which shows no other', async () => {
    const { sealer, store } = await open();
    const [event] = await store([{ a: 1 }, { a: 1 }, { a: 1 }], [3]);
    const disclosed = await disclose(event!, sealer);
    if (disclosed === null || disclosed === 'erased') throw new Error('It can be read.');
    expect(disclosed.map(({ salt }) => salt.length)).toEqual([32, 32, 32]);
    const commitments = storedLinks(event!).map(({ link }) => link.commitment);
    for (const [shown, { salt }] of disclosed.entries())
      for (const [place, { text }] of disclosed.entries())
        expect(commitmentOf({ salt, text }) === commitments[place]).toBe(shown === place);
  });

  it.each([
    ['data', 0],
    ['metadata', '"person":'],
  ] as const)('notices each changed byte of its %s from %j on, sealed or plain', async (part, begin) => {
    const { codec, store } = await open();
    const [event] = (await store([{ a: 1 }, { b: 2 }], [2])) as [RecordedEvent];
    const stored = Buffer.from(event[part]);
    for (let at = begin === 0 ? 0 : stored.indexOf(begin); at < stored.length; at++) {
      for (const flip of [1, 0x80]) {
        const bytes = Buffer.from(stored);
        bytes.writeUInt8(bytes.readUInt8(at) ^ flip, at);
        const changed = { ...event, [part]: bytes };
        const isNoticed = async () => {
          try {
            if (verifyStored(changed, null) !== null) return true;
            await codec.decode(changed);
            return false;
          } catch {
            return true;
          }
        };
        if (!(await isNoticed())) throw new Error(`Byte ${at} may change: ${bytes.toString('latin1')}`);
      }
    }
  });

  it('notices items removed, exchanged or repeated', async () => {
    const { store } = await open();
    const [event] = (await store([{ a: 1 }, { b: 2 }, { c: 3 }], [3])) as [RecordedEvent];
    const items = (text: string, change: (list: unknown[]) => unknown[]) => {
      const value = JSON.parse(text) as { items?: unknown[]; chain?: { items: unknown[]; hash: string } };
      if (value.items) value.items = change(value.items);
      if (value.chain) {
        value.chain.items = change(value.chain.items);
        value.chain.hash = (value.chain.items.at(-1) as { hash: string }).hash;
      }
      return Buffer.from(JSON.stringify(value));
    };
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    const both = (change: (list: unknown[]) => unknown[]): RecordedEvent => ({
      ...event,
      data: items(text(event.data), change),
      metadata: items(text(event.metadata), change),
    });
    expect(
      verifyStored(
        both((list) => list),
        null,
      ),
    ).toBeNull();
    for (const change of [
      (list: unknown[]) => list.slice(1),
      (list: unknown[]) => [list[1], list[0], list[2]],
      (list: unknown[]) => [list[0], list[0], list[2]],
    ])
      expect(verifyStored(both(change), null)).not.toBeNull();
    const one = { ...event, data: items(text(event.data), (list) => list.slice(0, 2)) };
    expect(() => verifyStored(one, null)).toThrow(DamagedEvent);
  });

  it.each([
    ['a member twice in its data', 'data', '{"session":"one"', '{"session":"two","session":"one"'],
    ['a commitment of its own', 'metadata', '"commitment":null', '"commitment":"0a"'],
    ['a signature', 'metadata', /\}\}$/, ',"signature":{"keyId":"a","value":"b"}}}'],
  ] as const)('notices what no batch is written with: %s', async (_, part, from, to) => {
    const { store } = await open();
    const [event] = (await store([{ a: 1 }, { b: 2 }], [2])) as [RecordedEvent];
    const changed = Buffer.from(event[part]).toString().replace(from, to);
    expect(changed).not.toBe(Buffer.from(event[part]).toString());
    expect(() => verifyStored({ ...event, [part]: Buffer.from(changed) }, null)).toThrow(DamagedEvent);
  });

  it('is not opened as fewer items than it was written with', async () => {
    const { codec, store } = await open();
    const [event] = (await store([{ a: 1 }, { b: 2 }], [2])) as [RecordedEvent];
    const metadataText = Buffer.from(event.metadata).toString();
    const fewer = metadataText.replace(/("items":\[\{[^}]*\}),[^\]]*/u, '$1');
    expect(fewer).not.toBe(metadataText);
    expect(() => codec.decode({ ...event, metadata: Buffer.from(fewer) })).toThrow(DamagedEvent);
  });

  it('is not opened with the personal part of another batch of the same person', async () => {
    const { codec, store } = await open();
    const [one, other] = (await store([{ a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }], [2])) as [
      RecordedEvent,
      RecordedEvent,
    ];
    const sealed = (event: RecordedEvent) =>
      /"personal":"([^"]+)"/u.exec(Buffer.from(event.metadata).toString())![1]!;
    const exchanged = Buffer.from(Buffer.from(one.metadata).toString().replace(sealed(one), sealed(other)));
    expect(() => codec.decode({ ...one, metadata: exchanged })).toThrow(DamagedEvent);
  });

  it('is not disclosed by the personal part of a batch of other length', async () => {
    const { sealer, store } = await open();
    const [one, other] = (await store([{ a: 1 }, { a: 1 }, { a: 1 }], [1, 2])) as [
      RecordedEvent,
      RecordedEvent,
    ];
    const PERSONAL = /"personal":"[^"]+"/u;
    const [personal] = PERSONAL.exec(Buffer.from(other.metadata).toString()) ?? [''];
    const exchanged = Buffer.from(Buffer.from(one.metadata).toString().replace(PERSONAL, personal));
    await expect(disclose({ ...one, metadata: exchanged }, sealer)).rejects.toThrow(DamagedEvent);
  });

  it('is not disclosed by what else is sealed for the person: the event is damaged', async () => {
    const { person, sealer, store } = await open();
    const [event] = (await store([{ a: 1 }], [1])) as [RecordedEvent];
    // As a document of a view.
    const other = await sealer.seal(person, `{"candidateName":"Carol${'.'.repeat(40_000)}"}`);
    const text = Buffer.from(event.metadata).toString();
    const exchanged = Buffer.from(text.replace(/"personal":"[^"]+"/u, `"personal":"${other}"`));
    await expect(disclose({ ...event, metadata: exchanged }, sealer)).rejects.toThrow(DamagedEvent);
  });

  it.each([
    [{ sequenceNumber: 1, items: [{}] }, null],
    [{ sequenceNumber: 1, items: [{}] }, { items: [{}, {}] }],
    [{ sequenceNumber: 1, items: [] }, { items: [] }],
    [{ items: [{}] }, { items: [{}] }],
    [{ sequenceNumber: 1.5, items: [{}] }, { items: [{}] }],
    [{ sequenceNumber: 1, items: [1] }, { items: [{}] }],
    [{ sequenceNumber: 1, items: [{}] }, { items: [null] }],
    [
      { sequenceNumber: 1, items: [{}] },
      { items: [{}], note: 'This would not be stored.' },
    ],
  ])('is not written where its parts do not match: %j and %j', async (data, personal) => {
    const { codec, person } = await open();
    const encoded = codec.encode([{ type: 'trial.did', data, person, personal }], metadata, {
      previousHash: null,
    });
    await expect(encoded).rejects.toThrow(TypeError);
  });
});

describe('an item’s id', () => {
  /** One more for each place in the last 12 hex digits, as the storage contract has it. */
  const expected = (id: string, place: number): string => {
    const last = BigInt.asUintN(48, BigInt(`0x${id.slice(-12)}`) + BigInt(place));
    return `${id.slice(0, -12)}${last.toString(16).padStart(12, '0')}`;
  };

  it.each([
    '000000000000',
    '00000000ff9d',
    '00000000fffe',
    '00000000ffff',
    '0000fffeffff',
    '0000ffffff9c',
    '0000ffffffff',
    '7fffffffffff',
    'fffffffffffe',
    'ffffffffffff',
  ])('is the batch’s id plus its place, wherever a digit carries: …%s', async (digits) => {
    const { store } = await open();
    const things = Array.from({ length: 101 }, () => ({}));
    const [event] = await store(things, [things.length]);
    const id = `018f0000-0000-7000-8000-${digits}`;
    const ids = storedLinks({ ...event!, id }).map(({ content }) => content.eventId);
    expect(ids).toEqual(things.map((_, place) => expected(id, place)));
    expect(things.map((_, place) => itemId(id, place))).toEqual(ids);
  });

  it('is the same for all items at once', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(100_000), (id, place) => {
        expect(itemIds(id)(place)).toBe(expected(id, place));
        expect(itemId(id, place)).toBe(expected(id, place));
      }),
    );
  });
});

describe('an item’s plain part', () => {
  const values = fc.oneof(fc.jsonValue(), fc.constant(undefined));
  const members = (letter: string) =>
    fc
      .dictionary(fc.string(), values, { noNullPrototype: true })
      .map((object) =>
        Object.fromEntries(Object.entries(object).map(([name, value]) => [letter + name, value])),
      );

  it('is the batch’s with its own number, followed by its own members', () => {
    fc.assert(
      fc.property(
        members('a'),
        members('b'),
        fc.array(members('c'), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        (before, after, items, sequenceNumber) => {
          const data = { ...before, sequenceNumber, ...after, items };
          const plain = items.map((item, place) =>
            JSON.stringify({ ...before, sequenceNumber: sequenceNumber + place, ...after, ...item }),
          );
          const linked = linkedItems('018f0000-0000-7000-8000-000000000000', data);
          expect(linked.map((item) => item.plain)).toEqual(plain);
        },
      ),
    );
  });
});
