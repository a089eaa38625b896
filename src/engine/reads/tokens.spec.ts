import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import type { LogId, Position } from '../../core/event-store.js';
import { ConsistencyTokens } from './tokens.js';

const keyed =
  (key: string) =>
  (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
const of = (log: string, key = 'key') => new ConsistencyTokens(log as LogId, keyed(key));
const ours = of('log-1');
const position = '0000000000000042' as Position;

describe('Consistency tokens', () => {
  it('give back a position, in characters that a header carries, to every process with the key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ maxLength: 64 }), (log, at) => {
        const token = of(log).encode(at as Position);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(of(log).decode(token)).toBe(at);
      }),
    );
  });

  it('of another log, and under another key, are ignored', () => {
    expect(ours.decode(of('log-2').encode(position))).toBeNull();
    expect(ours.decode(of('log-1', 'other').encode(position))).toBeNull();
  });

  it('that cannot be read are ignored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(ours.decode(text)).toBeNull();
      }),
    );
    expect(ours.decode(null)).toBeNull();
    expect(ours.decode('')).toBeNull();
    expect(ours.decode('x'.repeat(100_000))).toBeNull();
  });

  it('of which several are named give the last position, whatever stands between them', () => {
    const tokens = ['0000000000000041', position, '0000000000000007'].map((at) =>
      ours.encode(at as Position),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(tokens, { minLength: 3 }), (named) => {
        expect(ours.decode(named.join(','))).toBe(position);
        expect(ours.decode(`, none,${named.join(' ,  ')},`)).toBe(position);
      }),
    );
    const later = of('log-2').encode('0000000000000099' as Position);
    expect(ours.decode(`${later}, ${tokens[0]}`)).toBe('0000000000000041');
  });

  it('that somebody made up without the key are ignored', () => {
    for (const content of [position, `["log-1","${position}"]`])
      for (const length of [0, 8, 32, 64]) {
        const checksum = createHash('sha256').update(`consistency-token ${content}`).digest('hex');
        const token = Buffer.from(checksum.slice(0, length) + content).toString('base64url');
        expect(ours.decode(token)).toBeNull();
      }
  });

  it('that were changed in one character are ignored, not read as another position', () => {
    const token = ours.encode(position);
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect([null, position]).toContain(ours.decode(changed));
    }
  });
});
