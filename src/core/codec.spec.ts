import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import {
  isFrozenThroughout,
  metadata as withoutCause,
  personWithKey,
} from '../../test/support/encoded-events.js';
import { createCodec } from './codec.js';
import { DamagedEvent } from './errors.js';
import type { EncodedEvent, Position, RecordedEvent, StreamName } from './event-store.js';
import type { AnyEvent, Stored } from './event.js';
import { defineEvents } from './registry.js';
import { Sealer } from './sealing.js';
import { BrokenSeal, MissingKey, PersonErased } from './vault/port.js';

const registry = defineEvents({ plain: { version: 1 }, sealed: { version: 1 } });
const metadata = { ...withoutCause, causationId: 'cause' } as const;

const start = async (waits = false) => {
  const { vault, person } = await personWithKey(waits);
  const codec = createCodec(registry, new Sealer(vault));
  const read = async (event: EncodedEvent): Promise<Stored> => {
    const decoded = await codec.decode(recorded(event));
    if (decoded.kind !== 'event') throw new Error(decoded.kind);
    return decoded.event;
  };
  const write = async (event: AnyEvent) => (await codec.encode([event], metadata)).encoded[0]!;
  return { vault, person, codec, read, write };
};
const recorded = (event: EncodedEvent): RecordedEvent => ({
  ...event,
  stream: 'stream-1' as StreamName,
  revision: 4,
  position: '0005' as Position,
});
const parts = (event: EncodedEvent) => ({
  data: Buffer.from(event.data).toString(),
  metadata: JSON.parse(Buffer.from(event.metadata).toString()) as Record<string, unknown>,
});
/** What is sealed of a personal part with this text. */
const packed = (text: string): Buffer =>
  Buffer.concat([Buffer.alloc(32), Buffer.from([0xff, 0xff]), Buffer.from(text)]);
/** JSON of any shape, with names that mean something elsewhere. */
const anyObject = () =>
  fc
    .dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom('__proto__', 'constructor', '$where', 'a.b', 'toJSON', 'data', '10', '9'),
      ),
      fc.jsonValue(),
    )
    .map((value) => JSON.parse(JSON.stringify(value)) as object);

describe.each([false, true])('codec (keys waited for: %s)', (waits) => {
  it('reads what it wrote, whatever the payload', async () => {
    const { person, read, write } = await start(waits);
    await fc.assert(
      fc.asyncProperty(anyObject(), fc.option(anyObject()), async (data, personal) => {
        const event = { type: 'sealed', data, person, personal };
        const encoded = await write(event);
        const { type, data: plain, person: owner, personal: opened, ...rest } = await read(encoded);
        expect(JSON.stringify({ type, data: plain, person: owner, personal: opened })).toBe(
          JSON.stringify(event),
        );
        expect(rest).toEqual({
          id: encoded.id,
          stream: 'stream-1',
          revision: 4,
          position: '0005',
          metadata: { ...metadata, schemaVersion: 1 },
          chain: null,
        });
      }),
      { numRuns: 100 },
    );
  });

  it('keeps members of any name as the own members they were, and touches no prototype', async () => {
    const { person, read, write } = await start(waits);
    const payload = JSON.parse(
      '{"__proto__":{"admin":true},"$where":"1","a.b":{"__proto__":null},"constructor":{"prototype":{"x":1}}}',
    ) as object;
    const event = await read(
      await write({ type: 'sealed', data: { payload }, person, personal: { payload } }),
    );
    for (const part of [event.data, event.personal] as { payload: Record<string, unknown> }[]) {
      expect(Object.keys(part.payload)).toEqual(['__proto__', '$where', 'a.b', 'constructor']);
      expect(Object.getPrototypeOf(part.payload)).toBe(Object.prototype);
      expect(JSON.stringify(part.payload)).toBe(JSON.stringify(payload));
    }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('freezes all of it', async () => {
    const { person, read, write } = await start(waits);
    await fc.assert(
      fc.asyncProperty(anyObject(), anyObject(), async (data, personal) => {
        expect(isFrozenThroughout(await read(await write({ type: 'sealed', data, person, personal })))).toBe(
          true,
        );
      }),
      { numRuns: 30 },
    );
  });

  it('stores nothing personal in plain, the request’s hash included', async () => {
    const { person, write, read } = await start(waits);
    const encoded = await write({
      type: 'sealed',
      data: { a: 1 },
      person,
      personal: { email: 'ada@example.com' },
    });
    const { data, metadata: stored } = parts(encoded);
    expect(data).toBe('{"a":1}');
    expect(stored['personal']).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(JSON.stringify(stored)).not.toContain('ada@example.com');
    expect(stored['requestHash']).toBeUndefined();
    expect((await read(encoded)).metadata.requestHash).toBe('request');
  });

  it('keeps the request’s hash in plain where nothing is personal', async () => {
    const { person, write } = await start(waits);
    const plain = parts(await write({ type: 'plain', data: {}, person: null, personal: null }));
    const { correlationId, causationId, ...members } = metadata;
    const written = {
      ...members,
      schemaVersion: 1,
      $correlationId: correlationId,
      $causationId: causationId,
    };
    expect(plain).toEqual({ data: '{}', metadata: written });
    const without = parts(await write({ type: 'sealed', data: {}, person, personal: null }));
    expect(without).toEqual({ data: '{}', metadata: { ...written, person } });
  });

  it('reads an erased person’s part, and its request’s hash, as null', async () => {
    const { vault, person, read, write, codec } = await start(waits);
    const event = { type: 'sealed', data: { a: 1 }, person, personal: { email: 'ada@example.com' } };
    const encoded = await write(event);
    await vault.keys.erase(person);
    expect(await read(encoded)).toMatchObject({
      data: { a: 1 },
      person,
      personal: null,
      metadata: { requestHash: null, commandId: 'command' },
    });
    await expect(codec.encode([event], metadata)).rejects.toThrow(PersonErased);
    await expect(write({ ...event, personal: null })).resolves.toBeDefined();
  });

  it('stops on a key that is missing, and makes none', async () => {
    const { vault, person, read, write } = await start(waits);
    const event = { type: 'sealed', data: {}, person, personal: {} };
    const encoded = await write(event);
    vault.known.delete(person);
    await expect(read(encoded)).rejects.toThrow(MissingKey);
    await expect(write(event)).rejects.toThrow(MissingKey);
    expect(vault.known.size).toBe(0);
  });
});

describe('codec', () => {
  it('answers at once where the key is known', async () => {
    const { person, codec, write } = await start();
    const encoded = await write({ type: 'sealed', data: {}, person, personal: {} });
    expect(codec.decode(recorded(encoded))).toHaveProperty('kind', 'event');
  });

  it('gives every event a fresh id, also for the same event again', async () => {
    const { codec } = await start();
    const event = { type: 'plain', data: {}, person: null, personal: null };
    const { encoded, lastHash } = await codec.encode([event, event, event], metadata);
    expect(new Set(encoded.map(({ id }) => id)).size).toBe(3);
    expect(lastHash).toBeNull();
  });

  it('chains events one after the other', async () => {
    const { person, codec, read } = await start();
    const events: AnyEvent[] = [
      { type: 'plain', data: {}, person: null, personal: null },
      { type: 'sealed', data: {}, person, personal: { a: 1 } },
    ];
    const { encoded, lastHash } = await codec.encode(events, metadata, { previousHash: null });
    const [first, second] = [await read(encoded[0]!), await read(encoded[1]!)];
    expect(first.chain?.previousHash).toBe('0'.repeat(64));
    expect(first.chain?.commitment).toBeNull();
    expect(second.chain?.previousHash).toBe(first.chain?.hash);
    expect(second.chain?.commitment).toMatch(/^[0-9a-f]{64}$/);
    expect(second.chain?.hash).toBe(lastHash);
    const more = await codec.encode([events[0]!], metadata, { previousHash: lastHash });
    expect((await read(more.encoded[0]!)).chain?.previousHash).toBe(lastHash);
  });

  it('tells types that it does not know, and refuses to write them', async () => {
    const { codec, write } = await start();
    const encoded = await write({ type: 'plain', data: {}, person: null, personal: null });
    for (const type of ['other', '__proto__', 'toString'])
      expect(codec.decode(recorded({ ...encoded, type, metadata: Buffer.from('strange') }))).toEqual({
        kind: 'unknown',
        type,
      });
    await expect(
      codec.encode([{ type: 'other', data: {}, person: null, personal: null }], metadata),
    ).rejects.toThrow('not in the registry');
    await expect(
      codec.encode([{ type: 'sealed', data: {}, person: null, personal: {} }], metadata),
    ).rejects.toThrow('names no person');
  });

  it('writes no request’s hash so long that it would be read back as none', async () => {
    const { codec, person } = await start();
    const event = { type: 'sealed', data: {}, person, personal: {} };
    const long = { ...metadata, requestHash: 'x'.repeat(0xffff) };
    await expect(codec.encode([event], long)).rejects.toThrow(RangeError);
  });

  it('refuses another event’s personal part, though it is well sealed', async () => {
    const { person, codec } = await start();
    const event = (text: string) => ({ type: 'sealed', data: {}, person, personal: { text } });
    const { encoded } = await codec.encode([event('one'), event('two')], metadata, { previousHash: null });
    const personalOf = (at: number) =>
      /"personal":"([^"]+)"/.exec(Buffer.from(encoded[at]!.metadata).toString())![1]!;
    const swapped = Buffer.from(encoded[0]!.metadata).toString().replace(personalOf(0), personalOf(1));
    expect(() => codec.decode(recorded({ ...encoded[0]!, metadata: Buffer.from(swapped) }))).toThrow(
      DamagedEvent,
    );
  });

  it.each([
    ['shorter than a salt', (text: string) => Buffer.from(text)],
    ['no JSON', (text: string) => packed(`{"text":"${text}`)],
    ['no object', (text: string) => packed(JSON.stringify(text))],
  ])('says that the event is damaged, and quotes nothing, if its well sealed part is %s', async (_, make) => {
    const { vault, person, codec, write } = await start();
    const encoded = await write({ type: 'sealed', data: {}, person, personal: {} });
    const sealed = await new Sealer(vault).seal(person, make('known text'));
    const text = Buffer.from(encoded.metadata).toString();
    const other = Buffer.from(text.replace(/"personal":"[^"]+"/, `"personal":"${sealed}"`));
    const decode = () => codec.decode(recorded({ ...encoded, metadata: other }));
    expect(decode).toThrow(DamagedEvent);
    expect(decode).not.toThrow(/known/);
  });

  it('refuses damaged bytes by a sentence that names the event and quotes nothing', async () => {
    const { person, codec, write } = await start();
    const encoded = await write({ type: 'sealed', data: { secret: 'known text' }, person, personal: {} });
    const { data, metadata: stored } = parts(encoded);
    const text = JSON.stringify(stored);
    const damaged: Partial<EncodedEvent>[] = [
      { data: Buffer.from('') },
      { data: Buffer.from(data.slice(0, -1)) },
      { data: Buffer.from('"known text"') },
      { data: Buffer.from('[]') },
      { data: Buffer.from('null') },
      { data: Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}')]) },
      { metadata: Buffer.from(text.replace('"person"', '"persom"')) },
      { metadata: Buffer.from(text.replace(/\}$/, ',"chain":{}}')) },
      { metadata: Buffer.from('') },
      { metadata: Buffer.from('{}') },
      { metadata: Buffer.from(text.replace('"schemaVersion":1', '"schemaVersion":"1"')) },
      { metadata: Buffer.from(text.replace('"schemaVersion":1', '"schemaVersion":0')) },
      { metadata: Buffer.from(text.replace('"candidate"', '"somebody"')) },
      { metadata: Buffer.from(text.replace('"commandId"', '"commandit"')) },
      { metadata: Buffer.from(text.replace('"$causationId":"cause"', '"$causationId":1')) },
    ];
    for (const change of damaged) {
      const decode = () => codec.decode(recorded({ ...encoded, ...change }));
      expect(decode).toThrow(DamagedEvent);
      expect(decode).toThrow(encoded.id);
      expect(decode).not.toThrow(/known text/);
    }
    const foreign = text.replace(person, randomUUID());
    await expect(
      (async () => codec.decode(recorded({ ...encoded, metadata: Buffer.from(foreign) })))(),
    ).rejects.toThrow(MissingKey);
    const broken = text.replace(/"personal":"..../, '"personal":"AQAA');
    expect(() => codec.decode(recorded({ ...encoded, metadata: Buffer.from(broken) }))).toThrow(BrokenSeal);
  });

  it.each(['"items":{}', '"items":[{"commitment":null}]', '"signature":{"keyId":1,"value":"a"}'])(
    'refuses a link that is not as it is stored: %s',
    async (member) => {
      const { codec, write } = await start();
      const encoded = await write({ type: 'plain', data: {}, person: null, personal: null });
      const linked = (rest: string): RecordedEvent => {
        const chain = `,"chain":{"previousHash":"a","commitment":null,"hash":"b"${rest}}}`;
        const text = Buffer.from(encoded.metadata).toString().replace(/\}$/, chain);
        return recorded({ ...encoded, metadata: Buffer.from(text) });
      };
      expect(codec.decode(linked(''))).toMatchObject({ kind: 'event' });
      expect(() => codec.decode(linked(`,${member}`))).toThrow(DamagedEvent);
    },
  );
});
