import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { remoteHealth } from '../../src/operator/health/remote.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type Service, spawnService, startService } from '../support/service.js';

interface Ready {
  readonly status: string;
  readonly components: readonly {
    readonly name: string;
    readonly ready: boolean;
    readonly figures?: Readonly<Record<string, unknown>>;
  }[];
}

const onPort = (port: number): string => `http://127.0.0.1:${port}`;

describe('the health of a service that is ready', () => {
  let service: Service;
  let healthPort: number;
  beforeAll(async () => {
    healthPort = await freePort();
    service = await startService({ env: { HEALTH_PORT: `${healthPort}` } });
  });
  afterAll(() => service.stop());

  it('is one word on PORT', async () => {
    const reply = await fetch(`${service.url}/health/ready`);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toBe('{"status":"ready"}');
    expect(await remoteHealth(new URL(service.url))).toEqual({
      ready: true,
      components: [{ name: 'service', ready: true }],
    });
  });

  it('is every part on HEALTH_PORT, with process ids and positions', async () => {
    const signal = await eventually(async () => {
      const reply = await fetch(`${onPort(healthPort)}/health/ready`);
      const { status, components } = (await reply.json()) as Ready;
      expect({ status, code: reply.status }).toEqual({ status: 'ready', code: 200 });
      for (const name of ['http', 'disk', 'event-store', 'read-store'])
        expect(components).toContainEqual(expect.objectContaining({ name, ready: true }));
      const view = components.find(({ name }) => name === 'view signal');
      return view?.figures?.['owner'] ? view : false;
    });
    expect(signal.figures).toMatchObject({
      owner: expect.stringContaining(`/${service.pid}`),
      position: expect.any(String),
    });
    const asked = await remoteHealth(new URL(onPort(healthPort)));
    expect(asked.components.map(({ name }) => name)).toContain('view signal');
    expect((await fetch(`${onPort(healthPort)}/me`)).status).toBe(404);
  });

  it('leaves figures for operators to HEALTH_PORT: PORT has no /metrics then', async () => {
    const figures = await fetch(`${onPort(healthPort)}/metrics`);
    expect([figures.status, await figures.text()]).toEqual([200, expect.stringContaining('http_request')]);
    for (const method of ['GET', 'HEAD']) {
      const reply = await fetch(`${service.url}/metrics`, { method });
      expect([method, reply.status]).toEqual([method, 404]);
      expect(await reply.text()).not.toContain('http_request');
    }
  });

  it('has a port of its own: with one that is in use a second service ends with a sentence', async () => {
    const { ended, output } = spawnService(service.dataDir, { env: { HEALTH_PORT: `${healthPort}` } });
    expect((await ended).code).toBe(1);
    expect(output()).toMatch(
      new RegExp(`^HEALTH_PORT ${healthPort} on 127\\.0\\.0\\.1 is in use: [^\\n]+\\n$`),
    );
  });
});

describe('the health of a service that is not ready', () => {
  it('names no part on PORT, and each on HEALTH_PORT', async () => {
    const [port, healthPort] = [await freePort(), await freePort()];
    const { child, ended, output } = spawnService('/nowhere', {
      entry: 'test/fixtures/edge-app.js',
      env: { PORT: `${port}`, HEALTH_PORT: `${healthPort}`, STORE_FAULT: '1', LOG_LEVEL: 'info' },
    });
    try {
      await eventually(async () => output().includes('"msg":"serving"'));
      const reply = await fetch(`${onPort(port)}/health/ready`);
      expect(reply.status).toBe(503);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await reply.json()).toEqual({
        error: 'The service is not ready for requests.',
        code: 'unavailable',
        requestId: reply.headers.get('x-request-id'),
      });
      const whole = await fetch(`${onPort(healthPort)}/health/ready`);
      expect(whole.status).toBe(503);
      expect(await whole.json()).toEqual({
        status: 'not ready',
        components: [
          { name: 'http', ready: true },
          { name: 'store', ready: false, problem: 'store does not answer.' },
        ],
      });
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});
