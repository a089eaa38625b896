import { describe, expect, it } from '@jest/globals';
import { callerOf } from './claims.js';

const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1000;
const claims = {
  sub: 'ada',
  exp: SECONDS + 60,
  iat: SECONDS,
  email: 'Ada@example.com',
  email_verified: true,
};

describe('the caller of a payload', () => {
  it('is who the claims name', () => {
    expect(callerOf(claims, NOW)).toEqual({
      subject: 'ada',
      email: 'Ada@example.com',
      emailVerified: true,
      expiresAt: NOW + 60_000,
    });
  });

  it.each([
    ['a missing subject', { sub: undefined }],
    ['a subject of no text', { sub: 7 }],
    ['an empty subject', { sub: '' }],
    ['a blank subject', { sub: '  ' }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ['a control character in the subject', { sub: 'ada\n' }],
    ['a missing expiry', { exp: undefined }],
    ['an expiry as text', { exp: `${SECONDS + 60}` }],
    ['an expiry that never comes', { exp: Infinity }],
    ['an expiry beyond what a date can hold', { exp: 1e300 }],
    ['an expiry before the epoch', { exp: -1 }],
    ['an issue time of no number', { iat: 'today' }],
    ['an issue time more than a minute ahead', { iat: SECONDS + 61 }],
  ])('is nobody with %s', (_, change) => {
    expect(callerOf({ ...claims, ...change }, NOW)).toBeNull();
  });

  it.each([null, undefined, 'text', 7, []])('is nobody where the payload is %j', (payload) => {
    expect(callerOf(payload, NOW)).toBeNull();
  });

  it('may have a subject of 255 characters, no issue time, or one a minute ahead', () => {
    expect(callerOf({ ...claims, sub: 'x'.repeat(255) }, NOW)).not.toBeNull();
    expect(callerOf({ ...claims, iat: undefined }, NOW)).not.toBeNull();
    expect(callerOf({ ...claims, iat: SECONDS + 60 }, NOW)).not.toBeNull();
  });

  it.each([['true'], [1], [null], [undefined], [{}]])(
    'has no verified e-mail where email_verified is %j',
    (emailVerified) => {
      expect(callerOf({ ...claims, email_verified: emailVerified }, NOW)).toMatchObject({
        emailVerified: false,
      });
    },
  );

  it.each([[7], [['ada@example.com']], [''], [null], [undefined], ['x'.repeat(321)], ['a@b\u0000']])(
    'has no e-mail at all, verified or not, where email is %j',
    (email) => {
      expect(callerOf({ ...claims, email }, NOW)).toMatchObject({ email: null, emailVerified: false });
    },
  );
});
