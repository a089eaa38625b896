import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { metadata, personWithKey, recordedTrial } from '../../test/support/encoded-events.js';
import { commitmentOf, type Disclosure, linkHash, signedBytes } from './chain.js';
import { disclose, type StoredLink, storedLinks, verifyStored } from './codec-evidence.js';
import { createCodec } from './codec.js';
import { DamagedEvent } from './errors.js';
import type { Position, RecordedEvent, StreamName } from './event-store.js';
import type { AnyEvent } from './event.js';
import { defineEvents } from './registry.js';
import { Sealer } from './sealing.js';

const registry = defineEvents({ 'trial.started': { version: 1 }, 'trial.said': { version: 1 } });
const chainOf = async (
  length: number,
  plain: (index: number) => object = (index) => ({ sequenceNumber: index + 1 }),
) => {
  const { vault, person } = await personWithKey();
  const sealer = new Sealer(vault);
  const codec = createCodec(registry, sealer);
  const events = Array.from({ length }, (_, index): AnyEvent => {
    const personal = index % 2 === 0 ? null : { text: `answer ${index}` };
    return { type: personal ? 'trial.said' : 'trial.started', data: plain(index), person, personal };
  });
  const { encoded } = await codec.encode(events, metadata, { previousHash: null });
  return { vault, person, sealer, codec, recorded: recordedTrial(encoded) };
};

/** The one link of an event that is no batch. */
const storedLink = (event: RecordedEvent): StoredLink => {
  const links = storedLinks(event);
  expect(links).toHaveLength(1);
  return links[0]!;
};

/** Any string there is, halves of surrogate pairs included. */
const codeUnits = () =>
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

/** As an auditor goes through it: index of the first event that does not hold, `null` if all do. */
const firstFault = (events: readonly RecordedEvent[]): number | null => {
  let previous: string | null = null;
  for (const [index, event] of events.entries()) {
    try {
      if (verifyStored(event, previous) !== null) return index;
    } catch (error) {
      if (error instanceof DamagedEvent) return index;
      throw error;
    }
    previous = storedLinks(event).at(-1)?.link.hash ?? null;
  }
  return null;
};

describe('stored evidence', () => {
  it('holds as it was written, and after the erasure', async () => {
    const { vault, person, recorded } = await chainOf(6);
    expect(firstFault(recorded)).toBeNull();
    await vault.keys.erase(person);
    vault.known.clear();
    expect(firstFault(recorded)).toBeNull();
  });

  it('holds for any payload, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(codeUnits(), fc.jsonValue()), async (payload) => {
        const { recorded } = await chainOf(2, () => payload);
        expect(firstFault(recorded)).toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['data', 0],
    ['metadata', '"person":'],
  ] as const)('notices each changed byte of its %s from %j on, sealed or plain', async (part, begin) => {
    const { codec, recorded } = await chainOf(2);
    for (const [index, event] of recorded.entries()) {
      const stored = Buffer.from(event[part]);
      for (let at = begin === 0 ? 0 : stored.indexOf(begin); at < stored.length; at++) {
        for (const flip of [1, 0x80]) {
          const data = Buffer.from(stored);
          data.writeUInt8(data.readUInt8(at) ^ flip, at);
          const changed = recorded.with(index, { ...event, [part]: data });
          const noticed =
            firstFault(changed) !== null ||
            // A chain check cannot read the sealed part: opening the seal detects the change.
            (await (async () => codec.decode(changed[index]!))().then(
              () => false,
              () => true,
            ));
          if (!noticed)
            throw new Error(`Byte ${at} of event ${index} may change: ${data.toString('latin1')}`);
        }
      }
    }
  });

  it('notices each change of id, type, version, time and actor', async () => {
    const { recorded } = await chainOf(3);
    const event = recorded[1]!;
    const text = Buffer.from(event.metadata).toString();
    const changes: Partial<RecordedEvent>[] = [
      { id: randomUUID() },
      { type: 'trial.started' },
      ...[
        text.replace('"schemaVersion":1', '"schemaVersion":2'),
        text.replace('05.006Z', '05.007Z'),
        text.replace('person-1', 'person-2'),
        text.replace('"candidate"', '"staff"'),
        // What this reader would not take, another one might.
        text.replace('"schemaVersion":1', '"schemaVersion":2,"schemaVersion":1'),
        text.replace('"schemaVersion":1', '"schemaVersion":1,"note":"checked by hand"'),
      ].map((metadataText) => ({ metadata: Buffer.from(metadataText) })),
    ];
    for (const change of changes) expect(firstFault(recorded.with(1, { ...event, ...change }))).toBe(1);
  });

  it('notices events removed, swapped, repeated or put between', async () => {
    const { recorded } = await chainOf(5);
    const other = (await chainOf(5)).recorded;
    for (let at = 0; at < 4; at++) expect(firstFault(recorded.toSpliced(at, 1))).toBe(at);
    for (let at = 0; at < 4; at++)
      expect(firstFault(recorded.toSpliced(at, 2, recorded[at + 1]!, recorded[at]!))).toBe(at);
    for (let at = 0; at < 5; at++) expect(firstFault(recorded.toSpliced(at, 0, recorded[at]!))).toBe(at + 1);
    for (let at = 0; at < 5; at++) {
      const found = firstFault(recorded.with(at, other[at]!));
      expect(found).toBe(at === 0 ? 1 : at);
    }
  });

  it('notices an event that was written without a link', async () => {
    const { codec, recorded } = await chainOf(2);
    const { encoded } = await codec.encode(
      [{ type: 'trial.started', data: {}, person: null, personal: null }],
      metadata,
    );
    expect(firstFault([recorded[0]!, { ...recorded[1]!, ...encoded[0]! }])).toBe(1);
  });

  it('bears a signature where its type is signed, over the head that it names and its own hash', async () => {
    const { sealer } = await chainOf(1);
    const signed = defineEvents({
      'trial.started': { version: 1 },
      'evaluation.generated': { version: 1, signedHead: () => ({ sequenceNumber: 7, hash: null }) },
    });
    const over: Uint8Array[] = [];
    const sign = (bytes: Uint8Array) => `signature ${over.push(bytes)}`;
    const event = (type: string) => ({ type, data: { a: '}}"' }, person: null, personal: null });
    const events = [event('trial.started'), event('evaluation.generated')];
    const { encoded } = await createCodec(signed, sealer, { keyId: 'key', sign }).encode(events, metadata, {
      previousHash: null,
    });
    const recorded = encoded.map((one, revision): RecordedEvent => ({
      ...one,
      stream: 'evaluation-1' as StreamName,
      revision,
      position: String(revision) as Position,
    }));
    expect(firstFault(recorded)).toBeNull();
    const [plain, result] = recorded.map((one) => storedLink(one).link);
    expect(plain).not.toHaveProperty('signature');
    expect(result!.signature).toEqual({ keyId: 'key', value: 'signature 1' });
    expect(over).toEqual([signedBytes({ sequenceNumber: 7, hash: null }, result!.hash)]);
    expect(Buffer.from(encoded[1]!.metadata).toString()).toMatch(
      /,"hash":"[0-9a-f]{64}","signature":\{"keyId":"key","value":"signature 1"\}\}\}$/,
    );
    for (const [codec, why] of [
      [createCodec(signed, sealer), 'there is no key to sign it'],
      [
        createCodec(defineEvents({ 'evaluation.generated': { version: 1, signedHead: () => null } }), sealer),
        'names no head',
      ],
    ] as const)
      await expect(
        codec.encode([event('evaluation.generated')], metadata, { previousHash: null }),
      ).rejects.toThrow(why);
  });

  it('can be verified from plaintext and salt, with nothing but SHA-256', async () => {
    const { sealer, recorded } = await chainOf(2);
    const disclosed = await disclose(recorded[1]!, sealer);
    if (disclosed === null || disclosed === 'erased') throw new Error('There is a personal part.');
    expect(disclosed).toHaveLength(1);
    const [{ salt, text }] = disclosed as [Disclosure];
    expect(salt).toHaveLength(32);
    expect(text).toBe('{"text":"answer 1"}');
    const { content, link } = storedLink(recorded[1]!);
    const commitment = commitmentOf({ salt, text });
    expect(linkHash(storedLink(recorded[0]!).link.hash, { ...content, commitment })).toBe(link.hash);
    expect(Buffer.from(content.plain).toString()).toBe('{"sequenceNumber":2}');
  });

  it('discloses nothing where there is nothing, or nothing any more', async () => {
    const { vault, person, sealer, recorded } = await chainOf(2);
    expect(await disclose(recorded[0]!, sealer)).toBeNull();
    await vault.keys.erase(person);
    expect(await disclose(recorded[1]!, sealer)).toBe('erased');
  });

  it.each([
    ['less than a salt', Buffer.alloc(33)],
    [
      'less than its request’s hash',
      Buffer.concat([Buffer.alloc(32), Buffer.from([0, 9]), Buffer.from('short')]),
    ],
  ])('discloses no personal part of %s: it is damaged', async (_, packed) => {
    const { person, sealer, recorded } = await chainOf(2);
    const sealed = await sealer.seal(person, packed);
    const text = Buffer.from(recorded[1]!.metadata).toString();
    const other = Buffer.from(text.replace(/"personal":"[^"]+"/, `"personal":"${sealed}"`));
    await expect(disclose({ ...recorded[1]!, metadata: other }, sealer)).rejects.toThrow(DamagedEvent);
  });

  it('commits to equal texts by different values', async () => {
    const [one, two] = [await chainOf(2), await chainOf(2)];
    expect(storedLink(one.recorded[1]!).link.commitment).not.toBe(
      storedLink(two.recorded[1]!).link.commitment,
    );
  });
});
