import { expect, it } from '@jest/globals';
import { parseExpiry } from './expiry.js';

it('an expiry is at least a second ahead', () => {
  const now = '2026-03-01T09:30:00.000Z';
  expect(parseExpiry('2026-03-01T09:30:01.000Z', now)).toEqual({ time: '2026-03-01T09:30:01.000Z' });
  expect(parseExpiry('2026-03-01T09:30:00.999Z', now)).toMatchObject({ problem: { rule: 'future' } });
  expect(parseExpiry('later', now)).toMatchObject({ problem: { rule: 'timestamp', path: 'expiresAt' } });
});
