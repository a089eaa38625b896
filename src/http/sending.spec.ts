import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerSendingMetrics, Sending } from './sending.js';

const MIB = 1024 * 1024;

describe('what waits in a process to be sent', () => {
  it('is measured: the sum over all callers, as it grows and is read', async () => {
    const sending = new Sending({ all: 8 * MIB, caller: 4 * MIB });
    const registry = new Registry();
    registerSendingMetrics(registry, sending);
    const measured = async (): Promise<number> => {
      const [metric] = await registry.getMetricsAsJSON();
      expect(metric?.name).toBe('assay_sending_waiting_bytes');
      return metric?.values[0]?.value ?? NaN;
    };
    expect(await measured()).toBe(0);
    const [one, other] = [sending.begin('a'), sending.begin('b')];
    one.becomes(3 * MIB);
    other.becomes(2 * MIB);
    // It is refused, and counts as before.
    expect(one.becomes(5 * MIB)).toBe(false);
    expect(await measured()).toBe(5 * MIB);
    one.becomes(MIB);
    expect(await measured()).toBe(3 * MIB);
    one.becomes(0);
    other.becomes(0);
    expect(await measured()).toBe(0);
  });
});

it('a body that is larger than a limit is sent if nothing else waits, in all or for its caller', () => {
  const sending = new Sending({ all: 100_000, caller: 50_000 });
  const first = sending.begin('ada');
  expect(first.becomes(60_000)).toBe(true);
  expect(sending.begin('ada').becomes(20_000)).toBe(false);
  expect(sending.begin('bob').becomes(60_000)).toBe(false);
  expect(first.becomes(0)).toBe(true);
  expect(sending.begin('bob').becomes(200_000)).toBe(true);
});
