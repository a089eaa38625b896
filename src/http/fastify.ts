import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answeredLines, type Logger } from '../process/log.js';
import type { Metrics } from '../process/metrics.js';
import { ApiError, notFound } from './api-error.js';
import { requestIdsOf } from './edge-messages.js';
import type { EdgeServer } from './edge-server.js';
import type { ErrorSink } from './error-sink.js';
import { parseJsonBody } from './json-body.js';
import { RouteTable } from './route-table.js';
import { sendInPieces } from './sending.js';
import { MAX_BODY_BYTES, unsupportedMediaType } from './to-api-error.js';

/** Longest path parameter, in characters: an e-mail address, URL-encoded throughout, fits. */
const MAX_PARAM_LENGTH = 1024;

export interface FastifyOptions {
  readonly server: EdgeServer;
  readonly sink: ErrorSink;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly trustedProxies: readonly string[];
}

/** Adds what a request needs of the edge. */
export interface EdgeFastify {
  readonly instance: FastifyInstance;
  readonly routes: RouteTable;
}

/** The server framework, set up so that none of its own answers, parsers or defaults ever shows. */
export const createFastify = (options: FastifyOptions): EdgeFastify => {
  const { server, sink, trustedProxies } = options;
  const instance = fastify({
    serverFactory: () => server.http,
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request) => requestIdsOf(request).requestId,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    return503OnClosing: false,
    // The server in front answers what is no request.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => void sink.send(request, reply, error),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // No route declares a schema to it. Its own compilers take long to load.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseOtherEncodings(request);
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  instance.setErrorHandler((error, request, reply) => sink.send(request, reply, error));
  const routes = new RouteTable();
  instance.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.add({ method: one, pattern: url });
  });
  const answerUnmatched = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    unmatched(routes, sink, request, reply);
  instance.setNotFoundHandler(answerUnmatched);
  // Before a body is looked at: what no path here has is not refused for how it is sent.
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerUnmatched(request, reply).catch(done);
    else done();
  });
  sendInPieces(instance, server.sending);
  observe(instance, options);
  return { instance, routes };
};

const noSchemas = (): never => {
  throw new Error('Bodies are checked by class-validator: a route has no schema of Fastify.');
};

const refuseOtherEncodings = ({ headers }: FastifyRequest): void => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const encoding = headers['content-encoding'];
  const plain = encoding === undefined || encoding.toLowerCase() === 'identity';
  if (!plain || (charset !== undefined && charset.toLowerCase() !== 'utf-8')) throw unsupportedMediaType();
};

/** A path that is not there, or that has other methods than this one. */
const unmatched = async (
  routes: RouteTable,
  sink: ErrorSink,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const methods = routes.methodsOf(request.url);
  const allow = { Allow: [...methods, 'OPTIONS'].join(', ') };
  if (methods.length === 0 || methods.includes(request.method)) {
    await sink.send(request, reply, notFound());
  } else if (request.method === 'OPTIONS') {
    await reply.code(204).headers(allow).send();
  } else {
    const sentence = `${request.method} is not possible here; possible are ${methods.join(', ')}.`;
    await sink.send(request, reply, new ApiError('method_not_allowed', sentence, { headers: allow }));
  }
};

/** One log line and one observation for each answer; by route pattern, since paths and queries may hold secrets. */
const observe = (instance: FastifyInstance, { logger, metrics }: FastifyOptions): void => {
  const answered = answeredLines(logger);
  instance.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { requestId, correlationId } = requestIdsOf(request.raw);
    const route = request.routeOptions.url ?? 'unmatched';
    const { statusCode: status, elapsedTime } = reply;
    metrics.request(method, route, status, elapsedTime / 1000);
    const durationMs = Math.round(elapsedTime * 1000) / 1000;
    answered({ requestId, correlationId, method, route, status, durationMs });
    done();
  });
};
