import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Metrics } from '../../process/metrics.js';
import type { Health } from '../../process/health.js';

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
 * `/health/live`, `/health/ready` and `/metrics` for operators, with process ids and positions. They ask for no
 * credentials: serve them on HEALTH_PORT alone.
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
    const known = request.method === 'GET' && Object.hasOwn(pages, path);
    void ((known && pages[path]) || unknown)()
      .catch(failed)
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      });
    request.resume();
  };
};
