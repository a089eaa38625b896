import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Configuration } from '../process/config.js';
import type { Health, HealthSource } from '../process/health.js';
import type { Metrics } from '../process/metrics.js';
import { type Lifecycle, listenProblem } from '../process/start.js';
import { EdgeServer } from './edge-server.js';

const JSON_TYPE = 'application/json; charset=utf-8';

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, content: object): Page => ({
  status,
  type: JSON_TYPE,
  body: JSON.stringify(content),
});

/**
 * `/health/live`, `/health/ready` and `/metrics` for operators, with process ids and positions. They require no
 * credentials: serve them only on HEALTH_PORT.
 */
export const statusPages = (health: Health, metrics: Metrics): RequestListener => {
  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    '/health/live': async () => json(200, { status: 'live' }),
    '/health/ready': async () => {
      const components = await health.components();
      const ready = components.every((component) => component.ready);
      return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', components });
    },
    '/metrics': async () => ({
      status: 200,
      type: metrics.registry.contentType,
      body: await metrics.registry.metrics(),
    }),
  };
  const unknown = async (): Promise<Page> =>
    json(404, { error: 'There is no such page.', code: 'not_found' });
  const failed = (): Page => json(500, { error: 'Something went wrong here.', code: 'internal' });
  return (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?')[0] ?? '';
    // A HEAD is answered as a GET: Node.js omits the body.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const known = isRead && Object.hasOwn(pages, path);
    void ((known && pages[path]) || unknown)()
      .catch(failed)
      .then(({ status, type, body }) => {
        const length = { 'content-length': Buffer.byteLength(body) };
        response
          .writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...length })
          .end(body);
      });
    request.resume();
  };
};

/**
 * Listens on HEALTH_PORT, if it is set. Call `open` with the status pages. It is closed after everything that is opened
 * later.
 * @throws {StartProblem} the port cannot be listened on
 */
export const listenForOperators = async (
  { host, healthPort }: Pick<Configuration, 'host' | 'healthPort'>,
  lifecycle: Lifecycle,
): Promise<EdgeServer> => {
  const server = new EdgeServer({ allowedOrigins: [], secure: false });
  if (healthPort === null) return server;
  await server.listen(host, healthPort).catch((error: unknown) => {
    throw listenProblem(error, host, healthPort, 'HEALTH_PORT');
  });
  lifecycle.onStop('status pages', () => server.drain(0));
  return server;
};

/** A source of health that is not ready while the service stops, so that a load balancer sends requests elsewhere. */
export const drainingHealth = (server: EdgeServer): HealthSource => ({
  name: 'http',
  check: async () => [
    {
      name: 'http',
      ready: !server.isDraining,
      ...(server.isDraining && { problem: 'The service is stopping.' }),
    },
  ],
});
