import { FastifyAdapter } from '@nestjs/platform-fastify';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { answeredLines, type Logger } from '../process/log.js';
import type { Metrics } from '../process/metrics.js';
import { Answer, sendAnswer } from './answer.js';
import { methodNotAllowed, notFound } from './api-error.js';
import { countedAddress } from './counted-address.js';
import { requestIdsOf } from './edge-messages.js';
import type { EdgeServer } from './edge-server.js';
import type { ErrorSink } from './error-sink.js';
import { parseJsonBody } from './json-body.js';
import { RouteTable } from './route-table.js';
import { type Sending, SMALL_BYTES, STREAM_BYTES, tooMuchWaits } from './sending.js';
import { MAX_BODY_BYTES, unsupportedMediaType } from './to-api-error.js';

/** Longest path parameter, in characters: room for the longest e-mail address with all characters URL-encoded. */
const MAX_PARAM_LENGTH = 1024;
/** Bytes of a large answer that are written to the socket at once. */
const PIECE_BYTES = 64 * 1024;

export interface FastifyOptions {
  readonly server: EdgeServer;
  readonly sink: ErrorSink;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly trustedProxies: readonly string[];
}

/** The framework, and the table of its routes. */
export interface EdgeFastify {
  readonly instance: FastifyInstance;
  readonly routes: RouteTable;
}

/** The server framework, set up so that clients see none of its own answers, parsers or defaults. */
export const createFastify = (options: FastifyOptions): EdgeFastify => {
  const { server, sink, trustedProxies } = options;
  const instance = fastify({
    serverFactory: () => server.http,
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    return503OnClosing: false,
    // `EdgeServer` answers invalid requests.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => void sink.send(request, reply, error),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // No route declares a Fastify schema, and Fastify's compilers take long to load.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseOtherEncodings(request);
      const { parseBody = parseJsonBody } = request.routeOptions.config;
      done(null, parseBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  instance.setErrorHandler((error, request, reply) => sink.send(request, reply, error));
  const routes = new RouteTable();
  instance.addHook('onRoute', (route) => {
    const { method, url, config } = route;
    if (config?.maxBodyBytes !== undefined) route.bodyLimit = config.maxBodyBytes;
    for (const one of [method].flat()) routes.add({ method: one, pattern: url });
  });
  const answerUnmatched = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    unmatched(routes, sink, request, reply);
  instance.setNotFoundHandler(answerUnmatched);
  // Before a body is parsed, so that an unknown path is not refused because of its body.
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerUnmatched(request, reply).catch(done);
    else done();
  });
  sendInPieces(instance, server.sending);
  observe(instance, options);
  return { instance, routes };
};

/** Lets controllers return an `Answer`. The handlers of `createFastify` handle errors. */
export class EdgeAdapter extends FastifyAdapter {
  /** Does not register the plugin for middleware: no route has any. */
  override async init(): Promise<void> {
    await Promise.resolve();
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }

  override reply(...[response, body, status]: Parameters<FastifyAdapter['reply']>): FastifyReply {
    return body instanceof Answer
      ? sendAnswer(response as FastifyReply, body)
      : super.reply(response, body, status);
  }
}

/** Replaces Fastify's compilers of schemas. */
const noSchemas = (): never => {
  throw new Error('Bodies are checked by class-validator: a route has no schema of Fastify.');
};

/** @throws {ApiError} the body is compressed, or not UTF-8 */
const refuseOtherEncodings = ({ headers }: FastifyRequest): void => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const encoding = headers['content-encoding'];
  const plain = encoding === undefined || encoding.toLowerCase() === 'identity';
  if (!plain || (charset !== undefined && charset.toLowerCase() !== 'utf-8')) throw unsupportedMediaType();
};

/** The error for a path that does not exist, or that has other methods. */
const unmatched = async (
  routes: RouteTable,
  sink: ErrorSink,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const methods = routes.methodsOf(request.url);
  const allow = [...methods, 'OPTIONS'];
  if (methods.length === 0 || methods.includes(request.method)) {
    await sink.send(request, reply, notFound());
  } else if (request.method === 'OPTIONS') {
    await reply.code(204).header('Allow', allow.join(', ')).send();
  } else {
    await sink.send(request, reply, methodNotAllowed(methods, allow));
  }
};

/** Logs and measures each answer, by its route's pattern: paths and queries may contain secrets. */
const observe = (instance: FastifyInstance, { logger, metrics }: FastifyOptions): void => {
  const answered = answeredLines(logger);
  instance.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { requestId, correlationId } = requestIdsOf(request.raw);
    const route = request.routeOptions.url ?? 'unmatched';
    const { statusCode: status, elapsedTime } = reply;
    metrics.durations.observe({ method, route, status: `${status}` }, elapsedTime / 1000);
    const durationMs = Math.round(elapsedTime * 1000) / 1000;
    answered({ requestId, correlationId, method, route, status, durationMs });
    done();
  });
};

/** A request with the caller that `RouteGuard` has set. */
type AdmittedRequest = FastifyRequest & {
  readonly caller?: { readonly subject: string };
  readonly member?: { readonly subject: string };
};

/**
 * Sends a large answer in pieces, each once the client has read the one before. While too much waits to be sent, reads
 * are refused. A command's answer is always sent, since the command was executed.
 */
const sendInPieces = (instance: FastifyInstance, sending: Sending): void => {
  instance.addHook('onSend', (request: AdmittedRequest, reply, payload, done) => {
    const bytes = bytesOf(payload);
    if (bytes <= SMALL_BYTES || request.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const waiting = sending.begin((request.member ?? request.caller)?.subject ?? countedAddress(request.ip));
    if (!waiting.becomes(bytes) && request.method === 'GET') {
      if (payload instanceof Readable) payload.destroy();
      // Removes the headers of the answer that is not sent.
      for (const name of Object.keys(reply.getHeaders()))
        if (!name.startsWith('ratelimit-')) reply.removeHeader(name);
      done(tooMuchWaits());
      return;
    }
    reply.raw.once('close', () => waiting.becomes(0));
    if (payload instanceof Readable || bytes <= PIECE_BYTES) {
      done(null, payload);
      return;
    }
    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string);
    reply.header('content-length', bytes);
    done(null, Readable.from(piecesOf(body), { objectMode: false }));
  });
};

const bytesOf = (payload: unknown): number => {
  if (payload instanceof Readable) return STREAM_BYTES;
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
};

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.byteLength; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
