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
