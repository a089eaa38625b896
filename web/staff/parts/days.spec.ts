import { describe, expect, it } from '@jest/globals';
import { dayOf, dayText, momentOf } from './days.js';

describe('a stretch of days', () => {
  it.each([
    ['2026-11-30', 'UTC', '2026-11-30T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z', '2026-07-01T22:00:00.000Z'],
    // Days of 23 and of 25 hours.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // It begins at 01:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['2026-02-28', 'Pacific/Kiritimati', '2026-02-27T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['2026-12-31', 'Asia/Kathmandu', '2026-12-30T18:15:00.000Z', '2026-12-31T18:15:00.000Z'],
  ])('%s in %s begins and ends with the days of the zone', (day, zone, from, to) => {
    expect([momentOf(day, 'from', zone), momentOf(day, 'to', zone)]).toEqual([from, to]);
    for (const [end, moment] of [
      ['from', from],
      ['to', to],
    ] as const)
      expect(dayOf(moment, end, zone)).toEqual({ day, isWhole: true });
  });

  it('may begin at a moment, as saved views that the API was sent do', () => {
    const moment = '2026-11-30T11:30:00.000Z';
    expect(momentOf('2026-11-30T12:30:00+01:00', 'from', 'Europe/Berlin')).toBe(moment);
    expect(dayOf(moment, 'from', 'Europe/Berlin')).toEqual({ day: '2026-11-30', isWhole: false });
    expect(dayOf('1999-12-31T23:00:00.000Z', 'from', 'UTC')).toEqual({ day: '1999-12-31', isWhole: false });
  });

  it.each(['banana', '', '2026-13-01', '2026-02-30', '2026-2-3', '0202-01-01', '1999-12-31', '12026-01-01'])(
    'does not begin at %j',
    (value) => expect(momentOf(value, 'from', 'UTC')).toBeUndefined(),
  );

  it.each([
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00',
    '0000-01-01T00:00:00+14:00',
    '2026-01-01T00:00Z<b>',
  ])('does not end at %j', (value) => expect(momentOf(value, 'to', 'UTC')).toBeUndefined());

  it('has no end unless it is given one', () => {
    expect(momentOf(undefined, 'to', 'UTC')).toBeUndefined();
  });

  it('is in the days of the device if the browser does not know the zone', () => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(momentOf('2026-11-30', 'from', 'Nowhere/Else')).toBe(momentOf('2026-11-30', 'from', here));
  });

  it('is written in the words of the reader', () => {
    expect(dayText('2026-11-30', 'en')).toBe('Nov 30, 2026');
    expect(dayText('2026-11-30', 'de')).toBe('30.11.2026');
  });
});
