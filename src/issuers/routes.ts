import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { notFound } from '../http/api-error.js';
import { hasLeft } from '../http/edge-messages.js';
import { refuseForeignForm } from './forms.js';

/**
 * The routes of an issuer on the service's own server. For each request `guard` is called first, then `admit`, which
 * runs the route's handler or throws. Handlers write to Node's response, like the provider's library. An error of a
 * handler is answered like all errors of the service, unless the issuer has a page for it.
 */

/** A request to an issuer, and its answer. */
export interface Exchange {
  /** Its URL is below the issuer's path, and its host is the public one: the library makes addresses from them. */
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path in the browser's request. */
  readonly path: string;
  /** The path with the query. */
  readonly address: string;
  /** Hosts with their ports that count as the service's: the request's and the public one. */
  readonly ownHosts: readonly string[];
  /** The id in the path; '' if it has none. */
  readonly uid: string;
  /** The client's address, also behind trusted proxies. */
  readonly ip: string;
}

export type Handler = (exchange: Exchange) => Promise<void>;
type Handlers = Readonly<Record<string, Handler>>;

/** Handlers by path below the issuer's. */
export interface IssuerRoutes {
  /** As in ID tokens' `iss`. */
  readonly issuerUrl: string;
  /** Called first, with the unchanged request. Default: none is refused. @throws {ApiError} it is refused */
  readonly guard?: (request: IncomingMessage) => void;
  /** Calls `handle`, or throws if the request is refused. Default: calls `handle`. */
  readonly admit?: (exchange: Exchange, handle: () => Promise<void>) => Promise<void>;
  /** Pages, for GET and for the POST of their form. A form of another site is refused. */
  readonly pages: Handlers;
  /** Handlers for POST only. Default: none. */
  readonly calls?: Handlers;
  /** Returns the library. Called for each request that it answers. */
  readonly provider: () => Promise<Provider>;
  /** Handlers that replace the library at some of its paths. Default: none. */
  readonly overrides?: Handlers;
  /** Sends the issuer's own page for an error. @returns false: there is none. Default: there is none. */
  readonly sendErrorPage?: (error: unknown, exchange: Exchange) => boolean;
  /** Called with an error in the middle of an answer, which is cut off. */
  readonly onError: (error: unknown) => void;
}

/** Paths that the provider's library answers, unless `overrides` has them. */
const LIBRARY_PATHS = [
  '/.well-known/openid-configuration',
  '/jwks',
  '/token',
  '/userinfo',
  '/auth',
  '/auth/:uid',
];
/** The form of an id of a sign-in or a resumed request in a path. */
const UID = /^[A-Za-z0-9_-]+$/;

/** The last segment of the issuer's path: a proxy in front may remove those before it. */
const prefixOf = (publicPath: string): string => publicPath.slice(publicPath.lastIndexOf('/'));

/** Makes the routes as a plugin of the server. */
export const issuerRoutes = (issuer: IssuerRoutes): FastifyPluginAsync => {
  const { pages, calls = {}, overrides = {} } = issuer;
  const library: Handler = async ({ request, response }) =>
    (await issuer.provider()).callback()(request, response);
  const ownForms =
    (page: Handler): Handler =>
    async (exchange) => {
      refuseForeignForm(exchange.request, exchange.ownHosts);
      await page(exchange);
    };
  return async (server) => {
    const prefix = prefixOf(new URL(issuer.issuerUrl).pathname);
    await server.register(
      async (below) => {
        // Bodies are not parsed, since the library reads them itself.
        below.removeAllContentTypeParsers();
        below.addContentTypeParser('*', (_request, _body, done) => done(null));
        below.addHook('onRequest', async ({ raw }) => issuer.guard?.(raw));
        const add = (method: string[], url: string, handler: Handler) =>
          below.route({ method, url, handler: (request, reply) => answer(issuer, handler, request, reply) });
        for (const [path, page] of Object.entries(pages)) add(['GET', 'POST'], path, ownForms(page));
        for (const [path, call] of Object.entries(calls)) add(['POST'], path, call);
        for (const path of LIBRARY_PATHS) add(['GET', 'POST', 'OPTIONS'], path, overrides[path] ?? library);
      },
      { prefix },
    );
  };
};

/** Runs a handler, and answers what it throws. */
const answer = async (
  issuer: IssuerRoutes,
  handler: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const exchange = exchangeOf(request, reply.raw, issuer.issuerUrl);
  const { response, uid } = exchange;
  const hasUid = Object.hasOwn(request.params as object, 'uid');
  try {
    const handle = async (): Promise<void> => {
      if (hasUid && !UID.test(uid)) throw notFound();
      await handler(exchange);
    };
    await (issuer.admit?.(exchange, handle) ?? handle());
  } catch (error) {
    if (response.headersSent) {
      if (!hasLeft(exchange.request)) issuer.onError(error);
      response.destroy();
    } else if (issuer.sendErrorPage?.(error, exchange) !== true) {
      throw error;
    }
  }
  reply.hijack();
};

/** Changes the request as if it had been sent to the issuer's public address, with its URL below the issuer's path. */
const exchangeOf = (framed: FastifyRequest, response: ServerResponse, issuerUrl: string): Exchange => {
  const { raw: request, ip, params } = framed;
  const { pathname, host, protocol } = new URL(issuerUrl);
  const below = (request.url ?? '').slice(prefixOf(pathname).length);
  const url = below.startsWith('/') ? below : `/${below}`;
  const ownHosts = [request.headers.host?.toLowerCase() ?? host, host];
  Object.assign(request, { url, baseUrl: pathname });
  request.headers.host = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete request.headers['x-forwarded-host'];
  const { uid = '' } = params as { readonly uid?: string };
  const [path = ''] = url.split('?', 1);
  return {
    request,
    response,
    path: `${pathname}${path}`,
    address: `${pathname}${url}`,
    ownHosts,
    uid,
    ip,
  };
};
