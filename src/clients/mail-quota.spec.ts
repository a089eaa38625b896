import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { ADDRESS_MAILS_PER_DAY, MailQuota } from './mail-quota.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T09:05:00.000Z');

/** Processes with one vault. */
const processes = (perOrganisation: number | null = 3) => {
  const [vault, hasher, clock] = [new MemoryVault(), new KeyedHasher(randomBytes(32)), { now: START }];
  const open = () => new MailQuota(vault, hasher, perOrganisation, () => clock.now);
  return { one: open(), other: open(), clock };
};

describe('the mails of a day', () => {
  it('are counted for an address in any spelling, by all processes, each mail once', async () => {
    const { one, other, clock } = processes();
    for (let n = 0; n < ADDRESS_MAILS_PER_DAY; n++) {
      const quota = n % 2 ? one : other;
      const email = n % 3 ? 'Carol@Example.org' : 'carol@example.org';
      expect(await quota.countForAddress(email, `mail ${n}`)).toBeNull();
      clock.now += 60_000;
    }
    expect(await one.countForAddress('carol@example.org', 'mail 3')).toBeNull();
    expect(await one.countForAddress('carol@example.org', 'more')).toBe(START + 24 * HOUR);
    expect(await one.countForAddress('dave@example.org', 'more')).toBeNull();
    clock.now = START + 24 * HOUR;
    expect(await other.countForAddress('carol@example.org', 'more')).toBeNull();
    expect(await other.countForAddress('carol@example.org', 'yet more')).toBe(START + 24 * HOUR + 60_000);
  });

  it('are counted for an organisation, and those that are given back are not', async () => {
    const { one, other, clock } = processes();
    expect(await Promise.all([one, other, one].map((quota) => quota.countForOrganisation('o')))).toEqual([
      0, 0, 0,
    ]);
    const wait = await other.countForOrganisation('o');
    expect(wait).toBeGreaterThan(24 * 3_600 - 15 * 60);
    expect(wait).toBeLessThanOrEqual(24 * 3_600 + 15 * 60);
    expect(await one.countForOrganisation('p')).toBe(0);
    await one.giveBack('o');
    expect(await other.countForOrganisation('o')).toBe(0);
    clock.now += wait * 1_000;
    expect(await other.countForOrganisation('o')).toBe(0);
  });

  it('are not more than the limit later, however many of one quarter of an hour were given back', async () => {
    const { one, clock } = processes();
    await one.countForOrganisation('o');
    await one.countForOrganisation('o');
    clock.now += HOUR;
    await one.countForOrganisation('o');
    await one.giveBack('o');
    await one.giveBack('o');
    clock.now = START + 24 * HOUR + HOUR / 2;
    const counted = await Promise.all(Array.from({ length: 5 }, () => one.countForOrganisation('o')));
    expect(counted.filter((wait) => wait === 0)).toHaveLength(3);
  });

  it('have room for several or not, counted by the time until they have', async () => {
    const { one, clock } = processes();
    await one.countForOrganisation('o');
    clock.now += HOUR;
    await one.countForOrganisation('o');
    expect(await one.secondsUntilRoom('o', 1)).toBe(0);
    const [two, three] = [await one.secondsUntilRoom('o', 2), await one.secondsUntilRoom('o', 3)];
    expect([two > 22 * 3_600, three > two, await one.secondsUntilRoom('o', 200)]).toEqual([
      true,
      true,
      three,
    ]);
    expect(await one.secondsUntilRoom('o', 1)).toBe(0);
    clock.now += two * 1_000;
    expect(await one.secondsUntilRoom('o', 2)).toBe(0);
  });

  it('count no more what a clock that was years ahead has counted', async () => {
    const { one, clock } = processes(1);
    clock.now += 2 * 365 * 24 * HOUR;
    for (let n = 0; n < ADDRESS_MAILS_PER_DAY; n++)
      await one.countForAddress('carol@example.org', `mail ${n}`);
    await one.countForOrganisation('o');
    clock.now = START;
    expect(await one.countForAddress('carol@example.org', 'more')).toBeNull();
    expect(await one.countForOrganisation('o')).toBe(0);
  });

  it('of many requests at once are none more than the limit', async () => {
    const { one, other } = processes(20);
    const asked = Array.from({ length: 60 }, (_, n) => (n % 2 ? one : other).countForOrganisation('o'));
    expect((await Promise.all(asked)).filter((wait) => wait === 0)).toHaveLength(20);
  });

  it('are not counted for organisations where no mails are sent', async () => {
    const { one } = processes(null);
    for (let n = 0; n < 5; n++) expect(await one.countForOrganisation('o')).toBe(0);
    expect(await one.secondsUntilRoom('o', 1_000)).toBe(0);
  });
});
