import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { CHAIN_START, commitmentOf, type LinkContent, linkHash, verifyLink } from './chain.js';

const salt = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const COMMITMENT = '0997b8b0667a1ef4f492f696d842d4fd84298636b6fa975609d3d25d8ad3ad7e';
const FIRST = '9c3448bf3be65833f784327f0d739c6c3af652f26d0c938c61c2d5dcb9c9ae33';
const SECOND = 'da3afbd0e6adadf2c93fe3bd585acac13628bd54b56beac909f8c359a0d78027';

const first: LinkContent = {
  type: 'trial.started',
  schemaVersion: 1,
  eventId: 'event-1',
  recordedAt: '2026-01-02T03:04:05.006Z',
  actor: { type: 'candidate', id: 'person-1' },
  person: null,
  commitment: null,
  plain: '{"name":"Zoë"}',
};
const second: LinkContent = {
  type: 'trial.activity_recorded',
  schemaVersion: 12,
  eventId: 'event-2',
  recordedAt: '2026-01-02T03:04:06.006Z',
  actor: { type: 'system', id: 'reactor' },
  person: 'person-1',
  commitment: COMMITMENT,
  plain: Buffer.from('{"sequenceNumber":2}'),
};

/** The hash as the storage contract describes it. */
const inFields = (previousHash: string, { actor, ...content }: LinkContent & { plain: string }): string => {
  const hash = createHash('sha256');
  const { type, schemaVersion, eventId, recordedAt, person, commitment, plain } = content;
  const fields = ['assay.evidence.v1', previousHash, type, String(schemaVersion), eventId, recordedAt];
  for (const field of [...fields, actor.type, actor.id, person ?? '', commitment ?? '', plain]) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(field));
    hash.update(length).update(field);
  }
  return hash.digest('hex');
};

/** The figures were computed by another program from the layout as it is described. They can never change. */
describe('the evidence chain', () => {
  it('has the layout that auditors know', () => {
    expect(commitmentOf({ salt, text: '{"text":"Zoë"}' })).toBe(COMMITMENT);
    expect(linkHash(CHAIN_START, first)).toBe(FIRST);
    expect(linkHash(FIRST, second)).toBe(SECOND);
  });

  it('holds where every field is as it was', () => {
    expect(verifyLink({ previousHash: CHAIN_START, commitment: null, hash: FIRST }, first, null)).toBeNull();
    expect(
      verifyLink({ previousHash: FIRST, commitment: COMMITMENT, hash: SECOND }, second, FIRST),
    ).toBeNull();
  });

  it('notices each changed field', () => {
    const link = { previousHash: FIRST, commitment: COMMITMENT, hash: SECOND };
    const changes: Partial<LinkContent>[] = [
      { type: 'trial.activity_recorde' },
      { schemaVersion: 1 },
      { eventId: 'event-3' },
      { recordedAt: '2026-01-02T03:04:06.007Z' },
      { actor: { type: 'staff', id: 'reactor' } },
      { actor: { type: 'system', id: 'reactor2' } },
      { person: null },
      { person: 'person-2' },
      { commitment: null },
      { commitment: FIRST },
      { plain: '{"sequenceNumber":3}' },
    ];
    for (const change of changes) expect(verifyLink(link, { ...second, ...change }, FIRST)).toBe('changed');
    expect(verifyLink({ ...link, hash: FIRST }, second, FIRST)).toBe('changed');
    expect(verifyLink({ ...link, commitment: FIRST }, second, FIRST)).toBe('changed');
    const other = { ...link, commitment: FIRST };
    expect(verifyLink(other, { ...second, commitment: FIRST }, FIRST)).toBe('changed');
  });

  it('has the same hash of a text and of its bytes, however long, and whatever came before', () => {
    const lengths = [1_200, 1_255, 1_256, 1_257, 1_300, 1_364, 1_365, 1_366, 4_064, 4_065, 40_000, 10];
    for (const [length, character] of lengths.flatMap((n) => [[n, 'x'] as const, [n, '字'] as const])) {
      const text = character.repeat(length);
      const bytes = Buffer.from(text);
      const expected = createHash('sha256').update(salt).update(bytes).digest('hex');
      expect(commitmentOf({ salt, text })).toBe(expected);
      const hash = inFields(FIRST, { ...second, plain: text });
      expect(linkHash(FIRST, { ...second, plain: text })).toBe(hash);
      expect(linkHash(FIRST, { ...second, plain: bytes })).toBe(hash);
    }
  });

  it('does not take one field’s end for the next one’s beginning', () => {
    const split = (type: string, eventId: string) => linkHash(FIRST, { ...first, type, eventId });
    expect(split('ab', 'c')).not.toBe(split('a', 'bc'));
  });

  it('notices a link that goes on from another event', () => {
    const link = { previousHash: FIRST, commitment: COMMITMENT, hash: SECOND };
    expect(verifyLink(link, second, SECOND)).toBe('not_next');
    expect(verifyLink(link, second, null)).toBe('not_next');
  });

  it('takes the salt for more than decoration', () => {
    expect(commitmentOf({ salt: Buffer.alloc(32), text: '{"text":"Zoë"}' })).not.toBe(COMMITMENT);
  });
});
