import { describe, expect, it } from '@jest/globals';
import { dateTime, deadline, ServiceClock } from './clock.js';

const TRUE_TIME = Date.parse('2026-05-04T10:00:00.000Z');
const HOUR_MS = 3_600_000;

/** A device whose clock is wrong by so much; `sleep` stops its monotonic clock, as some systems do. */
class Device {
  private since = 0;
  private slept = 0;

  constructor(public wrongByMs: number) {}

  readonly wall = (): number => TRUE_TIME + this.since + this.slept + this.wrongByMs;
  readonly monotonic = (): number => 1_234 + this.since;

  pass(ms: number): void {
    this.since += ms;
  }

  sleep(ms: number): void {
    this.slept += ms;
  }

  get trueTime(): number {
    return TRUE_TIME + this.since + this.slept;
  }

  /** As a service writes it now. */
  get header(): string {
    return new Date(this.trueTime).toUTCString();
  }
}

describe('the service’s time', () => {
  it.each([2 * HOUR_MS, -2 * HOUR_MS, 0])('is known on a device that is %d ms wrong', (wrongByMs) => {
    const device = new Device(wrongByMs);
    const clock = new ServiceClock(device);
    expect([clock.isSynchronised, clock.now()]).toEqual([false, device.wall()]);
    for (let answers = 0; answers < 50; answers += 1) {
      const askedAt = clock.mark();
      device.pass(137);
      clock.learn(device.header, askedAt);
      device.pass(7_211);
    }
    expect(clock.isSynchronised).toBe(true);
    // One answer gives a whole second; several narrow it down.
    expect(Math.abs(clock.now() - device.trueTime)).toBeLessThan(300);
  });

  it('goes on evenly while the device’s clock jumps, and is unsure until the next answer', () => {
    const device = new Device(0);
    const clock = new ServiceClock(device);
    clock.learn(device.header, clock.mark());
    const before = clock.now();
    device.wrongByMs = 3 * HOUR_MS;
    device.pass(1_000);
    expect([clock.now() - before, clock.isSynchronised]).toEqual([1_000, false]);
    clock.learn(device.header, clock.mark());
    expect(clock.isSynchronised).toBe(true);
    expect(Math.abs(clock.now() - device.trueTime)).toBeLessThan(1_100);
  });

  it('is unsure after a sleep in which the monotonic clock stood still, and right after the next answer', () => {
    const device = new Device(HOUR_MS);
    const clock = new ServiceClock(device);
    clock.learn(device.header, clock.mark());
    device.sleep(2 * HOUR_MS);
    expect(clock.isSynchronised).toBe(false);
    clock.learn(device.header, clock.mark());
    expect(clock.isSynchronised).toBe(true);
    expect(Math.abs(clock.now() - device.trueTime)).toBeLessThan(1_100);
  });

  it('is the device’s as long as no answer has a date', () => {
    const device = new Device(0);
    const clock = new ServiceClock(device);
    clock.learn(null, clock.mark());
    clock.learn('never', clock.mark());
    expect([clock.now(), clock.isSynchronised]).toEqual([device.wall(), false]);
  });
});

describe('a time that the page shows', () => {
  it.each(['en', 'de'])('has the name of its zone (%s)', (language) => {
    const instant = '2026-11-27T21:05:00.000Z';
    const zone = new Intl.DateTimeFormat(language, { timeZoneName: 'short' })
      .formatToParts(new Date(instant))
      .find(({ type }) => type === 'timeZoneName')?.value;
    expect(zone).toMatch(/./);
    expect(dateTime(language, instant).endsWith(` ${zone}`)).toBe(true);
    expect(dateTime(language, instant)).toMatch(/November.*2026/);
  });
});

describe('a time limit', () => {
  const instant = '2026-11-27T21:05:00.000Z';
  const here = dateTime('en', instant);

  it('is told in the organisation’s zone, and by the device beside it if that differs', () => {
    expect(deadline('en', instant, 'Pacific/Kiritimati')).toBe(
      `${dateTime('en', instant, 'Pacific/Kiritimati')} (${here})`,
    );
    expect(deadline('en', instant, Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe(here);
  });

  it('is told by the device alone where no zone is given, or one that it does not know', () => {
    expect(deadline('en', instant)).toBe(here);
    expect(deadline('en', instant, 'Mars/Olympus')).toBe(here);
  });
});
