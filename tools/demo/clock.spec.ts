import { afterEach, describe, expect, it } from '@jest/globals';
import { HistoryClock } from './clock.js';

const DAY_MS = 86_400_000;

describe('the clock of a history', () => {
  const clock = new HistoryClock();
  afterEach(() => clock.end());

  it('moves every reading of the time, and leaves given times as they are', () => {
    const past = Date.now() - 14 * DAY_MS;
    clock.begin(past);
    expect(Date.now() - past).toBeLessThan(DAY_MS);
    expect(new Date().getTime() - past).toBeLessThan(DAY_MS);
    expect(Date().slice(0, 15)).toBe(new Date(past).toString().slice(0, 15));
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    expect(new Date()).toBeInstanceOf(Date);
    expect(Date.parse('2026-01-01T00:00:00Z')).toBe(Date.UTC(2026, 0, 1));
    const { wall, monotonic } = clock.read();
    expect(Math.abs(wall - monotonic)).toBeLessThan(DAY_MS);
  });

  it('moves forward alone, and never beyond the real time', () => {
    const real = Date.now();
    clock.begin(real - 14 * DAY_MS);
    clock.advanceTo(real - 7 * DAY_MS);
    clock.advanceTo(real - 9 * DAY_MS);
    expect(Date.now()).toBeGreaterThanOrEqual(real - 7 * DAY_MS);
    clock.advanceTo(real + DAY_MS);
    expect(Date.now() - real).toBeLessThan(DAY_MS / 2);
  });

  it('is the real time at the end', () => {
    const real = Date.now();
    clock.begin(real - 14 * DAY_MS);
    clock.end();
    expect(Date.now()).toBeGreaterThanOrEqual(real);
    expect(clock.now()).toBeGreaterThanOrEqual(real);
  });
});
