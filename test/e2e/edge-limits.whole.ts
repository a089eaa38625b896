import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, type Reply } from '../support/api.js';
import { type Service, startService } from '../support/service.js';

const ENTRY = 'test/fixtures/edge-app.js';
const tokenOf = (subject: string): string => `head.${subject}.signature`;

let service: Service;
let api: Api;

const times = async (count: number, call: () => Promise<Reply>): Promise<Map<number, number>> => {
  const statuses = new Map<number, number>();
  for (let left = count; left > 0; left -= 30) {
    const replies = await Promise.all(Array.from({ length: Math.min(30, left) }, call));
    for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
};

beforeAll(async () => {
  service = await startService({
    entry: ENTRY,
    env: { LOG_LEVEL: 'warn', TRUSTED_PROXIES: 'loopback', DEVELOPMENT_ISSUER: 'on' },
  });
  api = new Api(service.url);
});
afterAll(() => service.stop());

describe('limits', () => {
  it('are 600 requests a minute for one caller, independent of other callers', async () => {
    const token = tokenOf('busy');
    const first = await api.send('GET', '/things/1', { token });
    expect(first.headers.get('ratelimit-limit')).toBe('600');
    expect(first.headers.get('ratelimit-remaining')).toBe('599');
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(50);
    expect(await times(599, () => api.send('GET', '/things/1', { token }))).toEqual(new Map([[200, 599]]));
    const over = await api.send<{ code: string; error: string }>('GET', '/things/1', { token });
    expect(over).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(over.headers.get('retry-after')).toBe(over.headers.get('ratelimit-reset'));
    expect(over.headers.get('ratelimit-remaining')).toBe('0');
    expect((await api.send('GET', '/things/1', { token: tokenOf('idle') })).status).toBe(200);
  });

  it('are 120 for activity, which counts among the rest', async () => {
    const token = tokenOf('candidate');
    const post = () => api.send('POST', '/activity', { token });
    const first = await post();
    expect(first.headers.get('ratelimit-limit')).toBe('120');
    expect(await times(120, post)).toEqual(
      new Map([
        [202, 119],
        [429, 1],
      ]),
    );
    const other = await api.send('GET', '/things/1', { token });
    expect(other.status).toBe(200);
    expect(Number(other.headers.get('ratelimit-remaining'))).toBeLessThan(500);
  });

  it('end the guessing of one address, as trusted proxies report it, and no other caller’s work', async () => {
    const from = (address: string, token: string | null) =>
      api.send<{ code: string }>('GET', '/things/1', { token, headers: { 'x-forwarded-for': address } });
    const statuses = await times(610, () => from('203.0.113.9', tokenOf('refused')));
    expect(statuses).toEqual(
      new Map([
        [401, 600],
        [429, 10],
      ]),
    );
    expect((await from('203.0.113.9', null)).body.code).toBe('rate_limited');
    expect((await from('203.0.113.9', tokenOf('honest'))).status).toBe(200);
    expect((await from('203.0.113.10', tokenOf('refused'))).status).toBe(401);
  });
});

describe('without limits', () => {
  it('nothing is counted, and no address is taken from untrusted headers', async () => {
    const open = await startService({ entry: ENTRY, env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } });
    try {
      const free = new Api(open.url);
      const token = tokenOf('busy');
      expect(await times(660, () => free.send('GET', '/things/1', { token }))).toEqual(new Map([[200, 660]]));
      expect((await free.send('GET', '/things/1', { token })).headers.get('ratelimit-limit')).toBeNull();
    } finally {
      await open.stop();
    }
  });
});

describe('a stop', () => {
  it('finishes what is in flight, takes nothing new, and ends with 0', async () => {
    const stopping = await startService({ entry: ENTRY, env: { LOG_LEVEL: 'info' } });
    const slow = new Api(stopping.url).send('GET', '/slow/2500');
    // An idle connection does not delay the stop.
    const idle = connect(stopping.port, '127.0.0.1').on('error', () => undefined);
    await sleep(1_000);
    const end = stopping.stop();
    await sleep(200);
    await expect(
      fetch(`${stopping.url}/health/live`, { headers: { connection: 'close' } }),
    ).rejects.toThrow();
    expect(await slow).toMatchObject({ status: 200, body: { slept: 2500 } });
    const { code, signal, tookMs } = await end;
    idle.destroy();
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(tookMs).toBeLessThan(8_000);
    expect(stopping.output()).toContain('"msg":"stopped"');
  });

  it('ends requests that never finish, still with 0', async () => {
    const stopping = await startService({ entry: ENTRY, env: { LOG_LEVEL: 'warn' } });
    const never = new Api(stopping.url).send('GET', '/slow/60000').catch(() => 'cut off');
    const half = connect(stopping.port, '127.0.0.1').on('error', () => undefined);
    half.write('POST /free HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await sleep(200);
    const { code, tookMs } = await stopping.stop();
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    expect(await never).toBe('cut off');
    half.destroy();
  });
});

describe('readiness', () => {
  it('is 503 in the one shape while a part is unreachable', async () => {
    const broken = startService({ entry: ENTRY, env: { STORE_FAULT: '1' }, patienceMs: 1_500 });
    await expect(broken).rejects.toThrow(/did not become ready/);
  });
});
