import type { FastifyPluginAsync } from 'fastify';
import { EdgeServer } from '../../src/http/edge-server.js';
import { ErrorSink } from '../../src/http/error-sink.js';
import { createFastify } from '../../src/http/fastify.js';
import { RateLimits } from '../../src/http/rate-limits.js';
import { createDevelopmentIssuer } from '../../src/issuers/development/development-issuer.js';
import { createLogger, type Logger } from '../../src/process/log.js';
import { Metrics } from '../../src/process/metrics.js';

/** An HTTP server in the test's own process. */
export interface LocalServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Ends its connections too. */
  stop(): Promise<void>;
}

/**
 * Serves an issuer's routes and nothing else, on a free port.
 * @param routesAt makes the routes for the server's own address
 * @param logger by default errors only, on standard output
 */
export const serveRoutes = async (
  routesAt: (url: string) => FastifyPluginAsync,
  logger: Logger = createLogger('error'),
): Promise<LocalServer> => {
  const server = new EdgeServer({ allowedOrigins: [], secure: false });
  const url = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
  const sink = new ErrorSink(logger, new RateLimits(false));
  const edge = { server, sink, logger, metrics: new Metrics(), trustedProxies: [] };
  const { instance } = createFastify(edge);
  await instance.register(routesAt(url));
  await instance.ready();
  server.open((request, response) => instance.routing(request, response));
  return { url, stop: () => server.drain(0) };
};

/**
 * Serves the development issuer alone on a free port.
 * @param folder the folder of its keys
 * @param origin its public origin, if that differs from its own address
 */
export const serveIssuer = (folder: string, origin?: string): Promise<LocalServer> =>
  serveRoutes((url) => {
    const issuerUrl = `${origin ?? url}/issuer`;
    const onError = (error: unknown): void => console.error(error);
    return createDevelopmentIssuer({ issuerUrl, folder, audience: 'assay', onError }).routes;
  });
