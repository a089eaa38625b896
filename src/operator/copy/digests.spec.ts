import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Position, RecordedEvent, StreamName } from '../../core/event-store.js';
import type { KeyedHash } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import type { VaultEntry } from '../../vault/archive.js';
import type { ReadEntry } from '../../vault/port.js';
import { entryDigest, isSameEvent, LogDigest, vaultDigest } from './digests.js';

const recorded: RecordedEvent = {
  stream: 'trial-1' as StreamName,
  revision: 3,
  position: '1' as Position,
  id: 'id',
  type: 'é',
  data: Buffer.from('{}'),
  metadata: Buffer.from('[]'),
};

const digestOf = (...events: RecordedEvent[]): string => {
  const digest = new LogDigest();
  for (const event of events) digest.add(event);
  return digest.sha256();
};

describe('the hash of a log', () => {
  it('is SHA-256 over length-prefixed parts, which anybody can compute', () => {
    const bytes = Buffer.from(
      '0000000000000003' + '00000007' + '00000002' + '00000002' + '00000002' + '00000002',
      'hex',
    );
    const all = Buffer.concat([bytes, Buffer.from('trial-1idé{}[]')]);
    expect(digestOf(recorded)).toBe(createHash('sha256').update(all).digest('hex'));
  });

  it.each([
    { stream: 'trial-2' as StreamName },
    { revision: 4 },
    { id: 'other' },
    { type: 'e' },
    { data: Buffer.from('{ }') },
    { metadata: Buffer.from('[ ]') },
    { id: 'idé', type: '' },
    { data: Buffer.from('{}['), metadata: Buffer.from(']') },
  ])('is another one with %j', (change) => {
    expect(digestOf({ ...recorded, ...change })).not.toBe(digestOf(recorded));
    expect(isSameEvent({ ...recorded, ...change }, recorded)).toBe(false);
  });

  it('knows the order, and no position', () => {
    const next = { ...recorded, revision: 4 };
    expect(digestOf(recorded, next)).not.toBe(digestOf(next, recorded));
    const elsewhere = { ...recorded, position: '77' as Position, data: new Uint8Array([0x7b, 0x7d]) };
    expect(digestOf(elsewhere)).toBe(digestOf(recorded));
    expect(isSameEvent(elsewhere, recorded)).toBe(true);
  });
});

describe('the hash of a vault', () => {
  const [person, hash] = ['p' as PersonId, 'h' as KeyedHash];
  const chunk = { person, log: 's', part: 1, firstSeq: 1, lastSeq: 3, sealed: Buffer.from('s') };
  const read: ReadEntry = {
    id: 'i',
    evaluationId: 'e',
    organisationId: 'o',
    actor: { type: 'staff', id: 'a' },
    at: '2026-01-01T00:00:00.000Z',
  };
  const entries: readonly VaultEntry[] = [
    { kind: 'erased', person },
    { kind: 'key', person, wrapped: Buffer.from('w') },
    { kind: 'key', person, wrapped: Buffer.from('x') },
    { kind: 'key', person: 'pw' as PersonId, wrapped: Buffer.alloc(0) },
    { kind: 'identity', hash, person },
    { kind: 'carrier', hash, person: { person, kind: 'member', organisationId: 'o' } },
    { kind: 'carrier', hash, person: { person, kind: 'candidate', organisationId: 'o' } },
    { kind: 'carrier', hash, person: { person, kind: 'candidate', organisationId: 'q' } },
    { kind: 'claim', hash, person },
    { kind: 'claim', hash, person: 'q' as PersonId },
    { kind: 'claim', hash: 'i' as KeyedHash, person },
    { kind: 'secret', name: 'p', wrapped: Buffer.from('w') },
    { kind: 'read', entry: read },
    { kind: 'read', entry: { ...read, id: 'j' } },
    { kind: 'read', entry: { ...read, evaluationId: 'f' } },
    { kind: 'read', entry: { ...read, organisationId: 'p' } },
    { kind: 'read', entry: { ...read, at: '2026-01-01T00:00:00.001Z' } },
    { kind: 'read', entry: { ...read, actor: { ...read.actor, type: 'operator' } } },
    { kind: 'read', entry: { ...read, actor: { ...read.actor, id: 'b' } } },
    { kind: 'audio_end', person, log: 's', lastSeq: 2 },
    { kind: 'audio_end', person, log: 's', lastSeq: 3 },
    { kind: 'audio_end', person, log: 't', lastSeq: 3 },
    { kind: 'audio', ...chunk },
    { kind: 'audio', ...chunk, person: 'q' as PersonId },
    { kind: 'audio', ...chunk, log: 't' },
    { kind: 'audio', ...chunk, part: 2 },
    { kind: 'audio', ...chunk, firstSeq: 2 },
    { kind: 'audio', ...chunk, lastSeq: 4 },
    { kind: 'audio', ...chunk, sealed: Buffer.from('t') },
    { kind: 'file', ...chunk },
    { kind: 'file', ...chunk, log: 't' },
    { kind: 'file', ...chunk, sealed: Buffer.from('t') },
  ];

  it('tells every entry from every other', () => {
    expect(new Set(entries.map(entryDigest)).size).toBe(entries.length);
  });

  it('is the same in whatever order a vault lists them', () => {
    const digests = entries.map(entryDigest);
    expect(vaultDigest([...digests].reverse())).toBe(vaultDigest(digests));
    expect(vaultDigest(digests.slice(1))).not.toBe(vaultDigest(digests));
  });
});
