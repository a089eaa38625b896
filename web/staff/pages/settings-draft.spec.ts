import { describe, expect, it } from '@jest/globals';
import type { Organisation } from '../../../packages/client/src/index.js';
import { wholeIn } from '../parts/problems.js';
import { erasesMore, problemsOf, settingsBody, settingsOf, zoneOf } from './settings-draft.js';

const organisation: Organisation = {
  ...{ id: 'o', name: 'Example', recordAudio: false, retentionDays: 90, version: 3 },
  ...{ candidateResults: 'nothing', timeZone: 'UTC', senderName: null, logo: null },
};
const base = settingsOf(organisation);

describe('the settings of an organisation', () => {
  it('send what was changed alone', () => {
    expect(settingsBody(base, base)).toEqual({});
    const draft = { ...base, name: 'Harbour', recordAudio: true, retentionDays: ' ' };
    expect(settingsBody(draft, base)).toEqual({ name: 'Harbour', recordAudio: true, retentionDays: null });
    expect(settingsBody({ ...base, retentionDays: '30', candidateResults: 'result' }, base)).toEqual({
      ...{ retentionDays: 30, candidateResults: 'result' },
    });
    expect(settingsBody({ ...base, name: ' Harbour ' }, base)).toEqual({ name: 'Harbour' });
    const named = { ...base, senderName: ' Hiring ', timeZone: 'Europe/Berlin' };
    expect(settingsBody(named, base)).toEqual({ senderName: 'Hiring', timeZone: 'Europe/Berlin' });
    expect(settingsBody({ ...named, senderName: ' ' }, named)).toEqual({ senderName: null });
  });

  it('send a time zone by its own name, whatever the capitals in which a phone typed it', () => {
    const zones = ['Europe/Berlin', 'America/Port_of_Spain'];
    expect(
      ['Europe/berlin ', 'america/port_of_spain', 'UTC', 'Berlin'].map((one) => zoneOf(one, zones)),
    ).toEqual(['Europe/Berlin', 'America/Port_of_Spain', 'UTC', 'Berlin']);
    expect(settingsBody({ ...base, timeZone: 'Europe/berlin' }, base)).toEqual({ timeZone: 'Europe/Berlin' });
  });

  it('name what is wrong as it is typed', () => {
    const wrong = (part: Partial<typeof base>) => Object.fromEntries(problemsOf({ ...base, ...part }));
    expect(wrong({})).toEqual({});
    expect(wrong({ name: ' ', retentionDays: '0' })).toEqual({ name: 'name', retentionDays: 'days' });
    expect(wrong({ name: '🦉'.repeat(201) })).toEqual({ name: 'tooLong' });
    expect(wrong({ retentionDays: '' })).toEqual({});
    expect(wrong({ timeZone: '' })).toEqual({ timeZone: 'zone' });
    expect(wrong({ senderName: 'x'.repeat(201) })).toEqual({ senderName: 'tooLong' });
  });

  it('say when a time erases people whom the former kept', () => {
    const to = (retentionDays: string, from = '90') =>
      erasesMore({ ...base, retentionDays }, { ...base, retentionDays: from });
    expect([to('30'), to('90'), to('180'), to(''), to('9999', '')]).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('take whole numbers within limits alone', () => {
    const limits = { minimum: 1, maximum: 365 };
    expect(['1', ' 365 ', '0', '366', '1.5', '', 'ten', '-1'].map((text) => wholeIn(text, limits))).toEqual([
      ...[1, 365, null, null, null, null, null, null],
    ]);
  });
});
