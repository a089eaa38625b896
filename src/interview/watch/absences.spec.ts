import { describe, expect, it } from '@jest/globals';
import { Absences, type Held } from './abandoned.js';

const held = (connectionId: string, connected: boolean, host = 'h', timeFactor = 1): Held => ({
  connectionId,
  connected,
  host,
  timeFactor,
});
const living = (): boolean => false;
const dead = (): boolean => true;
const RESUME = 120;

describe('Absences', () => {
  it('never concern an open connection on a living host', () => {
    const absences = new Absences(RESUME);
    for (const now of [0, 1e3, 1e6]) expect(absences.overdue([held('a', true)], living, now)).toEqual([]);
    expect(absences.size).toBe(0);
  });

  it('of a dead host’s connections last from when it was seen dead', () => {
    const absences = new Absences(RESUME);
    const one = held('a', true);
    expect(absences.overdue([one], living, 1000)).toEqual([]);
    expect(absences.overdue([one], dead, 1050)).toEqual([]);
    expect(absences.overdue([one], dead, 1169)).toEqual([]);
    expect(absences.overdue([one], dead, 1170)).toEqual([one]);
    expect(absences.overdue([one], dead, 1171)).toEqual([one]);
  });

  it('of one that had dropped before its host died last from then', () => {
    const absences = new Absences(RESUME);
    const one = held('a', false);
    absences.overdue([one], living, 0);
    expect(absences.overdue([one], dead, 119)).toEqual([]);
    expect(absences.overdue([one], dead, 120)).toEqual([one]);
  });

  it('are a living host’s own matter for twice the time', () => {
    const absences = new Absences(RESUME);
    const one = held('a', false);
    expect(absences.overdue([one], living, 0)).toEqual([]);
    expect(absences.overdue([one], living, 239)).toEqual([]);
    expect(absences.overdue([one], living, 240)).toEqual([one]);
  });

  it('last as many times as long as an accommodation of time says', () => {
    const absences = new Absences(RESUME);
    const slow = held('a', false, 'h', 1.5);
    const usual = held('b', false);
    expect(absences.overdue([slow, usual], dead, 0)).toEqual([]);
    expect(absences.overdue([slow, usual], dead, 179)).toEqual([usual]);
    expect(absences.overdue([slow], dead, 180)).toEqual([slow]);
    expect(absences.overdue([slow], living, 359)).toEqual([]);
    expect(absences.overdue([slow], living, 360)).toEqual([slow]);
  });

  it('end with a newer connection, and with a host that was not dead after all', () => {
    const absences = new Absences(RESUME);
    absences.overdue([held('a', true)], dead, 0);
    expect(absences.overdue([held('b', true)], dead, 120)).toEqual([]);
    expect(absences.overdue([held('b', true)], living, 239)).toEqual([]);
    expect(absences.overdue([held('b', true)], dead, 240)).toEqual([]);
    expect(absences.overdue([held('b', true)], dead, 359)).toEqual([]);
    expect(absences.overdue([held('b', true)], dead, 360)).toHaveLength(1);
    absences.overdue([], dead, 361);
    expect(absences.size).toBe(0);
  });
});
