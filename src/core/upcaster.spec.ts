import { describe, expect, it } from '@jest/globals';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { createCodec, type Decoded } from './codec.js';
import type { EncodedEvent, Position, StreamName } from './event-store.js';
import { defineEvents, type Upcaster } from './registry.js';
import { Sealer } from './sealing.js';
import type { PersonId } from './vault/port.js';

/**
 * An event through its three shapes: version 1 had one name and a score out of ten, version 2 split the name,
 * version 3 counts in per cent.
 */
interface V1 {
  readonly data: { readonly score: number };
  readonly personal: { readonly name: string } | null;
}
interface V2 {
  readonly data: { readonly score: number };
  readonly personal: { readonly given: string; readonly family: string } | null;
}
const splitName: Upcaster = (shape) => {
  const { data, personal } = shape as V1;
  if (!personal) return { data, personal };
  const [given = '', family = ''] = personal.name.split(' ');
  return { data, personal: { given, family } } satisfies V2;
};
const toPercent: Upcaster = (shape) => {
  const { data, personal } = shape as V2;
  return { data: { percent: data.score * 10 }, personal };
};

const versions = {
  1: defineEvents({ 'grade.given': { version: 1 } }),
  2: defineEvents({ 'grade.given': { version: 2, upcasters: { 1: splitName } } }),
  3: defineEvents({ 'grade.given': { version: 3, upcasters: { 1: splitName, 2: toPercent } } }),
};
const person = 'person-1' as PersonId;
const metadata = {
  recordedAt: '2026-01-02T03:04:05.006Z',
  actor: { type: 'system', id: 'test' },
  commandId: 'command',
  requestHash: 'hash',
  correlationId: 'correlation',
  causationId: null,
} as const;
const recorded = (event: EncodedEvent) => ({
  ...event,
  stream: 'grade-1' as StreamName,
  revision: 0,
  position: '1' as Position,
});

describe('upcasting', () => {
  const start = async () => {
    const vault = new MemoryVault();
    await vault.keys.create(person);
    const codec = (version: 1 | 2 | 3) => createCodec(versions[version], new Sealer(vault));
    const write = async (version: 1 | 2 | 3, data: object, personal: object) =>
      recorded(
        (await codec(version).encode([{ type: 'grade.given', data, person, personal }], metadata))
          .encoded[0]!,
      );
    return { vault, codec, write };
  };
  const partsOf = (decoded: Decoded) =>
    decoded.kind === 'event' ? { data: decoded.event.data, personal: decoded.event.personal } : decoded;

  it('makes every former shape the latest one, step by step', async () => {
    const { codec, write } = await start();
    const latest = { data: { percent: 70 }, personal: { given: 'Ada', family: 'Lovelace' } };
    const v1 = await write(1, { score: 7 }, { name: 'Ada Lovelace' });
    const v2 = await write(2, { score: 7 }, { given: 'Ada', family: 'Lovelace' });
    const v3 = await write(3, latest.data, latest.personal);
    for (const event of [v1, v2, v3]) expect(partsOf(await codec(3).decode(event))).toEqual(latest);
    expect(partsOf(await codec(2).decode(v1))).toEqual({ ...latest, data: { score: 7 } });
  });

  it('keeps the version that stands in the log, and freezes what it made', async () => {
    const { codec, write } = await start();
    const decoded = await codec(3).decode(await write(1, { score: 7 }, { name: 'Ada Lovelace' }));
    if (decoded.kind !== 'event') throw new Error(decoded.kind);
    expect(decoded.event.metadata.schemaVersion).toBe(1);
    expect(Object.isFrozen(decoded.event.data)).toBe(true);
    expect(Object.isFrozen(decoded.event.personal)).toBe(true);
  });

  it('hands an erased person’s part as null', async () => {
    const { vault, codec, write } = await start();
    const event = await write(1, { score: 7 }, { name: 'Ada Lovelace' });
    await vault.keys.erase(person);
    expect(partsOf(await codec(3).decode(event))).toEqual({ data: { percent: 70 }, personal: null });
  });

  it('tells what newer code wrote, whatever its parts look like', async () => {
    const { codec, write } = await start();
    const event = await write(3, { percent: 70 }, {});
    const newer = { kind: 'newer', type: 'grade.given', schemaVersion: 3 };
    expect(codec(2).decode(event)).toEqual(newer);
    const strange = { data: Buffer.from('[]'), metadata: Buffer.from('{"schemaVersion":3,"actor":"new"}') };
    expect(codec(2).decode({ ...event, ...strange })).toEqual(newer);
  });
});
