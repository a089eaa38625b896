import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogId, Position } from '../event-store/port.js';
import { encodeToken, parseToken } from './tokens.js';

const log = 'log-1' as LogId;

describe('Consistency tokens', () => {
  it('give back log and position, in characters that a header carries', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ maxLength: 64 }), (name, position) => {
        const token = encodeToken(name as LogId, position as Position);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(parseToken(token, name as LogId)).toBe(position);
      }),
    );
  });

  it('of another log are ignored', () => {
    expect(parseToken(encodeToken('log-2' as LogId, '0001' as Position), log)).toBeNull();
  });

  it('that cannot be read are ignored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(parseToken(text, log)).toBeNull();
      }),
    );
    expect(parseToken(undefined, log)).toBeNull();
    expect(parseToken('x'.repeat(100_000), log)).toBeNull();
  });

  it('that somebody made up, checksum included, are ignored', () => {
    for (const content of [
      '{',
      'null',
      '7',
      '[]',
      '{}',
      '["log-1"]',
      '["log-1",42]',
      '["log-1",["9"]]',
      '["log-1",null]',
    ]) {
      const checksum = createHash('sha256').update(`consistency-token ${content}`).digest('hex').slice(0, 8);
      expect(parseToken(Buffer.from(checksum + content).toString('base64url'), log)).toBeNull();
    }
  });

  it('that were changed in one character are ignored, not read as another position', () => {
    const token = encodeToken(log, '0000000000000042' as Position);
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect([null, '0000000000000042']).toContain(parseToken(changed, log));
    }
  });
});
