import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apiKeyIn, bearerToken } from './route.guard.js';

describe('the bearer credential', () => {
  it.each(['Bearer a.b.c', 'bearer a.b.c', 'BEARER   a.b.c', 'Bearer a.b.c '])(
    'is read from %j',
    (header) => {
      expect(bearerToken(header)).toBe('a.b.c');
    },
  );

  it('is well-formed where it is unsecured: the verifier refuses that', () => {
    expect(bearerToken('Bearer a.b.')).toBe('a.b.');
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer a',
    'Bearer a.b',
    'Bearer a.b.c.d',
    'Bearer .b.c',
    'Bearer a..c',
    'Bearer ..',
    'Bearer a.b.c=',
    'Bearer a.b+.c',
    'Bearer a.b.c d',
    'Bearer a.b.c,Bearer a.b.c',
    'Bearera.b.c',
    'Bearer\ta.b.c',
    'Basic a.b.c',
    'Token a.b.c',
    'a.b.c',
    'Bearer "a.b.c"',
  ])('is malformed as %j', (header) => {
    expect(bearerToken(header)).toBeNull();
  });

  it('gives back exactly what was sent, for any three parts', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9_-]+$/);
    fc.assert(
      fc.property(fc.tuple(part, part, part), (parts) => {
        expect(bearerToken(`Bearer ${parts.join('.')}`)).toBe(parts.join('.'));
      }),
    );
  });
});

describe('an API key', () => {
  const key = `assay_${'aZ9_-'.repeat(8)}abc`;

  it.each([`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `Bearer ${key} `])(
    'is read from %j',
    (header) => {
      expect(apiKeyIn(header)).toBe(key);
      expect(bearerToken(header)).toBeNull();
    },
  );

  it.each([
    undefined,
    '',
    key,
    `Basic ${key}`,
    `Bearer${key}`,
    `Bearer\t${key}`,
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer ${key.slice(0, -1)}=`,
    `Bearer ${key.slice(0, -1)}.`,
    `Bearer ${key},Bearer ${key}`,
    `Bearer a.b.c`,
    `Bearer x${key}`,
  ])('is not read from %j', (header) => {
    expect(apiKeyIn(header)).toBeNull();
  });
});
