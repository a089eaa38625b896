import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ComponentHealth, Health } from '../process/health.js';
import { Metrics } from '../process/metrics.js';
import { statusPages } from './status-pages.js';

describe('the pages for operators', () => {
  let server: Server;
  let url: string;
  let components: ComponentHealth[];
  let metrics: Metrics;

  beforeEach(async () => {
    metrics = new Metrics();
    components = [{ name: 'views', ready: true }];
    const health = new Health([{ name: 'all', check: async () => components }]);
    server = createServer(statusPages(health, metrics)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
    metrics.registry.clear();
  });

  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`${url}${path}`, { method });
    return { status: response.status, body: await response.text() };
  };

  it('say that it runs, and whether it is ready', async () => {
    expect(await get('/health/live')).toEqual({ status: 200, body: '{"status":"live"}' });
    expect(JSON.parse((await get('/health/ready?x=1')).body)).toEqual({ status: 'ready', components });
    components = [{ name: 'event-store', ready: false, problem: 'It is away.' }];
    const unready = await get('/health/ready');
    expect(unready.status).toBe(503);
    expect(JSON.parse(unready.body)).toEqual({ status: 'not ready', components });
  });

  it('show its figures', async () => {
    expect(await get('/metrics')).toMatchObject({
      status: 200,
      body: expect.stringContaining('process_cpu_seconds_total'),
    });
  });

  it.each(['/health/live', '/health/ready', '/metrics', '/none'])(
    'answer a HEAD, as monitors send it, with the status and headers of the GET: %s',
    async (path) => {
      components = [{ name: 'event-store', ready: false, problem: 'It is away.' }];
      const [got, headed] = await Promise.all(
        ['GET', 'HEAD'].map((method) => fetch(`${url}${path}`, { method })),
      );
      expect(headed?.status).toBe(got?.status);
      expect(headed?.headers.get('content-type')).toBe(got?.headers.get('content-type'));
      expect(await headed?.text()).toBe('');
    },
  );

  it.each([['/'], ['/constructor'], ['/__proto__'], ['/me']])('are all there is: %s', async (path) => {
    expect((await get(path)).status).toBe(404);
    expect((await get('/metrics', 'POST')).status).toBe(404);
  });
});
