import { describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitmentOf } from '../../src/core/chain.js';
import { disclose, type StoredLink, storedLinks, verifyStored } from '../../src/core/codec-evidence.js';
import { createCodec, type Decoded } from '../../src/core/codec.js';
import type { Position, RecordedEvent, StreamName } from '../../src/core/event-store.js';
import type { AnyEvent } from '../../src/core/event.js';
import { Sealer } from '../../src/core/sealing.js';
import { evidenceKeys } from '../../src/core/signing.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { MemoryVault } from '../support/memory-vault.js';
import { person, samples } from './samples.js';

/**
 * What once was stored must read the same for ever. One file for each event type and version: never changed, never
 * removed. What a former version reads as in the latest shape is in `upcast`. `GOLDEN=write npm run test:jest test/golden`
 * makes the files that are missing.
 */
const FOLDER = join(process.cwd(), 'test', 'golden', 'events');
const UPCAST = join(process.cwd(), 'test', 'golden', 'upcast');

interface Golden {
  readonly id: string;
  readonly type: string;
  /** The stored bytes as text. */
  readonly data: string;
  readonly metadata: string;
  /** What every reader saw of it in its own version, `__proto__` members included: hence a text. */
  readonly decoded: string;
}

const vault = new MemoryVault();
vault.known.set(person, { kind: 'key', key: Buffer.alloc(32, 0x2a) });
const { signer, trusted } = evidenceKeys(Buffer.alloc(32, 0x51));
const codec = createCodec(eventRegistry, new Sealer(vault), signer);
const erasedVault = new MemoryVault();
erasedVault.known.set(person, { kind: 'erased' });

const isChained = (type: string) => type.startsWith('trial.') || type.startsWith('evaluation.');
const common = {
  recordedAt: '2026-01-02T03:04:05.006Z',
  actor: { type: 'staff', id: 'subject|grace' },
  commandId: 'c0'.repeat(32),
  requestHash: 'd0'.repeat(32),
  correlationId: 'correlation-1',
  causationId: null,
} as const;

const encode = async (type: string) => {
  const event = { type, ...samples[type as keyof typeof samples] } as AnyEvent;
  const { encoded } = await codec.encode(
    [event],
    common,
    isChained(type) ? { previousHash: null } : undefined,
  );
  const { id, data, metadata } = encoded[0]!;
  return { id, type, data: Buffer.from(data).toString(), metadata: Buffer.from(metadata).toString() };
};

const recorded = (golden: Pick<Golden, 'id' | 'type' | 'data' | 'metadata'>): RecordedEvent => ({
  id: golden.id,
  type: golden.type,
  data: Buffer.from(golden.data),
  metadata: Buffer.from(golden.metadata),
  stream: 'golden-1' as StreamName,
  revision: 0,
  position: '1' as Position,
});

const eventOf = (decoded: Decoded) => {
  if (decoded.kind !== 'event') throw new Error(`It reads as ${decoded.kind}.`);
  return decoded.event;
};

/** Metadata without what is random, so that two encodings of one event compare. */
const shapeOf = ({ metadata }: { metadata: string }) =>
  metadata
    .replace(/"personal":"[^"]*"/, '"personal":"…"')
    .replaceAll(/"commitment":"[^"]*"/g, '"commitment":"…"')
    .replaceAll(/("commitment":[^,]*,"hash":)"[^"]*"/g, '$1"…"')
    .replace(/"value":"[^"]*"\}\}\}$/, '"value":"…"}}}');

const names = [...eventRegistry].flatMap(([type, { version }]) =>
  Array.from({ length: version }, (_, index) => [type, index + 1] as const),
);
const pathOf = (type: string, version: number) => join(FOLDER, `${type}.v${version}.json`);
const latestOf = (type: string) => eventRegistry.get(type)!.version;
const upcastName = (type: string, version: number) => `${type}.v${version}.as-v${latestOf(type)}.json`;
const goldenOf = (type: string, version: number) =>
  JSON.parse(readFileSync(pathOf(type, version), 'utf8')) as Golden;
const former = names.filter(([type, version]) => version < latestOf(type));

if (process.env['GOLDEN'] === 'write') {
  mkdirSync(FOLDER, { recursive: true });
  for (const [type, { version }] of eventRegistry) {
    if (existsSync(pathOf(type, version))) continue;
    const stored = await encode(type);
    const decoded = JSON.stringify(eventOf(await codec.decode(recorded(stored))));
    writeFileSync(pathOf(type, version), `${JSON.stringify({ ...stored, decoded }, null, 2)}\n`);
  }
  mkdirSync(UPCAST, { recursive: true });
  for (const [type, version] of former) {
    const path = join(UPCAST, upcastName(type, version));
    if (existsSync(path)) continue;
    const { data, personal } = eventOf(await codec.decode(recorded(goldenOf(type, version))));
    writeFileSync(path, `${JSON.stringify({ data, personal }, null, 2)}\n`);
  }
}

describe('golden events', () => {
  it('are there for every type and version, and for nothing else', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(
      names.map(([type, version]) => `${type}.v${version}.json`).sort(),
    );
  });

  it('of former versions have a latest shape each', () => {
    const files = readdirSync(UPCAST).filter((file) => former.some((one) => file === upcastName(...one)));
    expect(files.sort()).toEqual(former.map((one) => upcastName(...one)).sort());
  });

  describe.each(names)('%s version %i', (type, version) => {
    const golden = goldenOf(type, version);

    it('reads as it always did', async () => {
      const shape =
        version === latestOf(type)
          ? {}
          : (JSON.parse(readFileSync(join(UPCAST, upcastName(type, version)), 'utf8')) as object);
      const expected = JSON.stringify({ ...(JSON.parse(golden.decoded) as object), ...shape });
      expect(JSON.stringify(eventOf(await codec.decode(recorded(golden))))).toBe(expected);
    });

    it('reads without its personal part after an erasure', async () => {
      const erased = eventOf(
        await createCodec(eventRegistry, new Sealer(erasedVault)).decode(recorded(golden)),
      );
      const expected = eventOf(await codec.decode(recorded(golden)));
      const requestHash = expected.personal === null ? expected.metadata.requestHash : null;
      expect(erased).toEqual({
        ...expected,
        personal: null,
        metadata: { ...expected.metadata, requestHash },
      });
    });

    it('shows nothing personal', () => {
      const { personal } = JSON.parse(golden.decoded) as { personal: object | null };
      for (const text of ['example.com', 'subject|ada', 'Clear', 'gave no', '"passed":2', 'client-1'])
        if (personal && JSON.stringify(personal).includes(text))
          expect(golden.data + golden.metadata).not.toContain(text);
      if (personal) expect(golden.metadata).not.toContain(common.requestHash);
    });

    if (isChained(type))
      it('holds in its chain, and so does its commitment', async () => {
        expect(verifyStored(recorded(golden), null)).toBeNull();
        const disclosed = await disclose(recorded(golden), new Sealer(vault));
        const commitments = storedLinks(recorded(golden)).map(({ link }) => link.commitment);
        if (disclosed === null) expect(commitments).toEqual([null]);
        else expect(disclosed !== 'erased' && disclosed.map(commitmentOf)).toEqual(commitments);
      });

    const { signedHead } = eventRegistry.get(type) ?? {};
    if (signedHead)
      it('bears a good signature over its head', () => {
        const [{ link, content }] = storedLinks(recorded(golden)) as [StoredLink];
        const head = signedHead(JSON.parse(Buffer.from(content.plain).toString()) as object);
        expect(head).toEqual({ sequenceNumber: 7, hash: 'ab'.repeat(32) });
        expect(trusted.check(link.signature!, head!, link.hash)).toBeNull();
      });

    if (version === latestOf(type))
      it('is still written so', async () => {
        const today = await encode(type);
        expect(today.data).toBe(golden.data);
        expect(shapeOf(today)).toBe(shapeOf(golden));
      });
  });
});
