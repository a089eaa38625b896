import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isTimeZone, parseTimestamp } from './timestamp.js';

describe('a timestamp', () => {
  it.each([
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01t09:30:00.1234567z', '2026-03-01T09:30:00.123Z'],
    ['2026-03-01T09:30:00+05:30', '2026-03-01T04:00:00.000Z'],
    ['2024-02-29T23:59:59.999-00:00', '2024-02-29T23:59:59.999Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(parseTimestamp(text)).toBe(time);
  });

  it.each([
    '',
    'now',
    '2026-03-01',
    '2026-03-01T09:30:00',
    '2026-03-01T09:30Z',
    '2026-03-01 09:30:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:30:60Z',
    '2026-02-29T00:00:00.000Z',
    '1900-02-29T00:00:00.000Z',
    '2026-00-10T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-04-31T00:00:00.000Z',
    '2026-03-01T24:00:00.000Z',
    '2026-03-01T09:60:00.000Z',
    '2026-03-01T09:30:60.000Z',
    '2026-03-01T09:30:00+24:00',
    '2026-03-01T09:30:00.Z',
    ' 2026-03-01T09:30:00Z',
    '2026-03-01T09:30:00Z\n',
    '+002026-03-01T09:30:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+00:01',
  ])('%p is none', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('as this service writes it comes back the same', () => {
    const min = new Date('0000-01-01T00:00:00Z');
    const max = new Date('9999-12-31T23:59:59.999Z');
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min, max }), (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.toISOString());
      }),
    );
  });
});

it('a time zone is one of the IANA database', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    expect(isTimeZone(name)).toBe(true);
  for (const name of ['', ' ', '+02:00', 'Mars/Olympus', 'Europe/Berlin ', 'local'])
    expect(isTimeZone(name)).toBe(false);
});
