import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SigningKey } from 'jwks-rsa';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { silentLog } from '../../engine/log.js';
import { ProviderKeys, ProviderUnavailable } from './provider-keys.js';

const TIMES = { maxAge: 1000, cooldown: 100, retry: 50, grace: 10_000 };

const shown = (publicKey: KeyObject, kid: string | undefined, alg?: string): SigningKey => {
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { kid, alg, getPublicKey: () => pem, publicKey: pem, rsaPublicKey: pem } as unknown as SigningKey;
};
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;

let now: number;
let asked: number;
let provider: SigningKey[] | Error;
let keys: ProviderKeys;
const warn = jest.fn();

beforeEach(() => {
  now = 1_000_000;
  asked = 0;
  provider = [shown(rsa, 'first')];
  const load = async (): Promise<SigningKey[]> => {
    asked += 1;
    if (provider instanceof Error) throw provider;
    return provider;
  };
  warn.mockClear();
  keys = new ProviderKeys(load, TIMES, () => now, { ...silentLog, warn });
});

const away = new Error('connection refused');

describe('the provider’s keys', () => {
  it('are asked for once while they are fresh, also by many at once', async () => {
    await Promise.all([keys.find('RS256', 'first'), keys.find('RS256', 'first')]);
    now += TIMES.maxAge - 1;
    expect(await keys.find('RS256', 'first')).not.toBeNull();
    expect(asked).toBe(1);
  });

  it('prove no longer than until they are due again', async () => {
    expect((await keys.find('RS256', 'first'))?.cacheMs).toBe(TIMES.maxAge);
    now += 500;
    expect((await keys.find('RS256', 'first'))?.cacheMs).toBe(TIMES.maxAge - 500);
  });

  it('are as old as they are, though the clock of the machine was years ahead when they were asked for', async () => {
    const times = { ...TIMES, maxAge: 0, cooldown: 0 };
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 365 * 86_400_000);
    const load = async (): Promise<SigningKey[]> => (provider instanceof Error ? [] : provider);
    const own = new ProviderKeys(load, times);
    await own.find('RS256', 'first');
    clock.mockRestore();
    provider = [shown(rsa, 'second')];
    expect(await own.find('RS256', 'second')).not.toBeNull();
    expect(await own.find('RS256', 'first')).toBeNull();
  });

  it('are found right after a rotation', async () => {
    await keys.find('RS256', 'first');
    provider = [shown(rsa, 'second')];
    now += TIMES.cooldown;
    expect(await keys.find('RS256', 'second')).not.toBeNull();
    expect(asked).toBe(2);
  });

  it('stop working within their age once the provider has dropped them', async () => {
    await keys.find('RS256', 'first');
    provider = [];
    now += TIMES.maxAge - 1;
    expect(await keys.find('RS256', 'first')).not.toBeNull();
    now += 1;
    expect(await keys.find('RS256', 'first')).toBeNull();
  });

  it('are asked for once per cooldown at most by key ids that nobody knows', async () => {
    await keys.find('RS256', 'first');
    for (let attempt = 0; attempt < 50; attempt += 1) {
      now += 10;
      await keys.find('RS256', `made-up-${attempt}`);
    }
    expect(asked).toBe(1 + 5);
  });

  it('are refreshed in time while made-up key ids keep coming', async () => {
    await keys.find('RS256', 'first');
    now += TIMES.maxAge - 1;
    await keys.find('RS256', 'made-up');
    provider = [shown(rsa, 'first'), shown(p256, 'second')];
    now += TIMES.maxAge;
    expect(await keys.find('ES256', 'second')).not.toBeNull();
  });

  it('are unavailable, not unknown, while the provider has never answered', async () => {
    provider = away;
    await expect(keys.find('RS256', 'first')).rejects.toBeInstanceOf(ProviderUnavailable);
    await expect(keys.find('RS256', 'first')).rejects.toBeInstanceOf(ProviderUnavailable);
    expect(asked).toBe(1);
    provider = [shown(rsa, 'first')];
    now += TIMES.retry;
    expect(await keys.find('RS256', 'first')).not.toBeNull();
  });

  it('are relied on through an outage for the grace and no longer, with a pause between attempts', async () => {
    await keys.find('RS256', 'first');
    provider = away;
    now += TIMES.maxAge;
    const found = await keys.find('RS256', 'first');
    expect(found?.cacheMs).toBe(TIMES.retry);
    await keys.find('RS256', 'first');
    expect(asked).toBe(2);
    now += TIMES.grace;
    await expect(keys.find('RS256', 'first')).rejects.toBeInstanceOf(ProviderUnavailable);
  });

  it('say in the log why they are asked for again, although the last ones still serve every caller', async () => {
    await keys.find('RS256', 'first');
    provider = away;
    now += TIMES.maxAge;
    for (; asked < 4; now += TIMES.retry) expect(await keys.find('RS256', 'first')).not.toBeNull();
    expect(warn.mock.calls).toEqual([
      [{ reason: 'Error: connection refused' }, expect.stringContaining('tries again')],
    ]);
  });

  it('leave an unknown key id undecided during an outage', async () => {
    await keys.find('RS256', 'first');
    provider = away;
    now += TIMES.cooldown;
    await expect(keys.find('RS256', 'second')).rejects.toBeInstanceOf(ProviderUnavailable);
    now += 1;
    await expect(keys.find('RS256', 'second')).rejects.toBeInstanceOf(ProviderUnavailable);
    expect(await keys.find('RS256', 'first')).not.toBeNull();
  });

  it('serve the one algorithm that fits their type', async () => {
    provider = [shown(rsa, 'rsa'), shown(p256, 'ec')];
    expect(await keys.find('RS256', 'rsa')).not.toBeNull();
    expect(await keys.find('ES256', 'ec')).not.toBeNull();
    expect(await keys.find('ES256', 'rsa')).toBeNull();
    expect(await keys.find('RS256', 'ec')).toBeNull();
  });

  it('are not honoured where they are weak, of another curve, or declared for another algorithm', async () => {
    provider = [
      shown(weak, 'weak'),
      shown(p384, 'p384'),
      shown(rsa, 'pss', 'PS256'),
      shown(rsa, 'good', 'RS256'),
    ];
    expect(await keys.find('RS256', 'good')).not.toBeNull();
    expect(await keys.find('RS256', 'weak')).toBeNull();
    expect(await keys.find('ES256', 'p384')).toBeNull();
    expect(await keys.find('RS256', 'pss')).toBeNull();
  });

  it('may go without an id only where there is a single one', async () => {
    expect(await keys.find('RS256', undefined)).not.toBeNull();
    provider = [shown(rsa, 'first'), shown(p256, 'second')];
    now += TIMES.maxAge;
    expect(await keys.find('RS256', undefined)).toBeNull();
  });
});
