import { describe, expect, it } from '@jest/globals';
import { timesIn } from './times.js';

const [english, german] = [timesIn('en-GB', 'full'), timesIn('de-DE', 'long')];

describe('a moment in words', () => {
  it.each([
    ['UTC', 'Sunday, 15 March 2026 at 02:05 UTC', '15. März 2026 um 02:05 UTC'],
    ['Europe/London', 'Sunday, 15 March 2026 at 02:05 GMT', '15. März 2026 um 02:05 GMT+0'],
    [
      'Europe/Berlin',
      'Sunday, 15 March 2026 at 03:05 CET (02:05 UTC)',
      '15. März 2026 um 03:05 MEZ (02:05 UTC)',
    ],
    [
      'America/New_York',
      'Saturday, 14 March 2026 at 22:05 GMT-4 (Sunday 02:05 UTC)',
      '14. März 2026 um 22:05 GMT-4 (Sonntag, 02:05 UTC)',
    ],
  ])('is told in its zone: %s', (zone, inEnglish, inGerman) => {
    const instant = '2026-03-15T02:05:00.000Z';
    expect(english(instant, zone)).toBe(inEnglish);
    expect(german(instant, zone)).toBe(inGerman);
  });

  it('knows summer time', () => {
    expect(english('2026-07-15T12:00:00.000Z', 'Europe/Berlin')).toContain('at 14:00 CEST (12:00 UTC)');
  });

  it('is told in UTC where the zone is not known', () => {
    expect(english('2026-03-15T09:05:00.000Z', 'Mars/Olympus')).toBe('Sunday, 15 March 2026 at 09:05 UTC');
  });
});
