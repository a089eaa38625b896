import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Gate } from './history.js';

describe('a gate', () => {
  it('lets no more through at once than it has places, and all of them in the end', async () => {
    const gate = new Gate(2, 10_000);
    let inside = 0;
    let most = 0;
    const passed: number[] = [];
    const pass = (n: number) =>
      gate.pass(async () => {
        most = Math.max(most, ++inside);
        await sleep(1);
        inside--;
        passed.push(n);
        if (n % 3 === 0) throw new Error(`${n} failed`);
      });
    const all = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => pass(n)));
    expect(most).toBe(2);
    expect(passed).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(7);
  });

  it('sends away who has waited too long, and keeps that one’s place for the next', async () => {
    const gate = new Gate(1, 20);
    let leave: () => void = () => undefined;
    const inside = gate.pass(() => new Promise<void>((resolve) => (leave = resolve)));
    await expect(gate.pass(async () => 'late')).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'Retry-After': '1' },
    });
    const waiting = gate.pass(async () => 'in time');
    leave();
    await inside;
    expect(await waiting).toBe('in time');
    expect(await gate.pass(async () => 'alone')).toBe('alone');
  });
});
