import { describe, expect, it } from '@jest/globals';
import { claimsOf, readEmail, subjectOf } from './account.js';

const SECRET = Buffer.alloc(32, 7).toString('base64url');

describe('an account of the development issuer', () => {
  it.each(['ada@example.com', 'Ada.L+hiring@Example.COM', 'ädä@exämple.com', ' ada@example.com '])(
    'may have the address %j',
    (email) => {
      expect(readEmail(email)).toBe(email.trim());
    },
  );

  it.each([
    undefined,
    null,
    7,
    {},
    [],
    ['a@b'],
    '',
    ' ',
    'ada',
    'ada@',
    '@b',
    'a@b@c',
    'a b@c',
    'o@localhost',
    'a@b\u0000',
    `${'a'.repeat(253)}@b`,
  ])('may not have the address %j', (email) => {
    expect(readEmail(email)).toBeNull();
  });

  it('has one subject for every spelling, which is opaque and hangs on the secret', () => {
    const subject = subjectOf('Ada@Example.com', SECRET);
    expect(subjectOf('ada@example.com ', SECRET)).toBe(subject);
    expect(subjectOf('ada@example.org', SECRET)).not.toBe(subject);
    expect(subjectOf('ada@example.com', Buffer.alloc(32).toString('base64url'))).not.toBe(subject);
    expect(subject).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('claims what the sign-in said', () => {
    expect(claimsOf({ email: 'Ada@example.com', emailVerified: false }, SECRET)).toEqual({
      sub: subjectOf('ada@example.com', SECRET),
      email: 'Ada@example.com',
      email_verified: false,
    });
  });
});
