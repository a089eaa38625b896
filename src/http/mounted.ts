import type { IncomingMessage, ServerResponse } from 'node:http';
import { urlOf } from '../core/text.js';
import { ApiError, errorBody, validationFailed } from './api-error.js';
import { hasLeft } from './edge-messages.js';
import type { Page } from './page.js';
import { readRequestIds } from './headers.js';

/** A request of a handler that the edge's server passes a path to (`EdgeServer.mount`), outside the framework. */
export type MountedRequest = IncomingMessage & {
  baseUrl?: string;
  /** The hosts, with their ports, by which a browser may have come: the one that it named and the public one. */
  ownHosts?: readonly string[];
};

/** Where a handler of that public address is mounted: a proxy in front has taken what comes before it off the path. */
export const basePathOf = (publicUrl: string): string => {
  const { pathname } = new URL(publicUrl);
  return pathname.slice(pathname.lastIndexOf('/'));
};

/**
 * Makes the request look to a handler as if it were not mounted, and as sent to its public address. Gives its path
 * below that.
 */
export const mount = (request: MountedRequest, publicUrl: string): string => {
  const { pathname, host, protocol } = new URL(publicUrl);
  const below = (request.url ?? '').slice(basePathOf(publicUrl).length);
  request.url = below.startsWith('/') ? below : `/${below}`;
  request.baseUrl = pathname;
  request.ownHosts = [request.headers.host?.toLowerCase() ?? host, host];
  request.headers.host = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  delete request.headers['x-forwarded-host'];
  return request.url.split('?', 1)[0] ?? '/';
};

/** @throws {ApiError} another method */
export const only = (request: IncomingMessage, methods: readonly string[]): void => {
  if (methods.includes(request.method ?? '')) return;
  throw new ApiError('method_not_allowed', `Only ${methods.join(', ')} may be sent here.`, {
    headers: { Allow: methods.join(', ') },
  });
};

/**
 * For a page with a form: it may be read, and its form sent by a page of the same origin alone. A form of another site
 * would sign the reader in as somebody else, or out.
 * @throws {ApiError} another method, or a form of another site
 */
export const onlyOwnForm = (request: MountedRequest): void => {
  only(request, ['GET', 'HEAD', 'POST']);
  if (request.method === 'POST' && !isOfOwnOrigin(request)) throw foreignForm();
};

/** Programs name neither. A privacy setting may hide the origin; browsers tell then that it is the same. */
const isOfOwnOrigin = ({ headers, ownHosts = [] }: MountedRequest): boolean => {
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  if (origin === undefined || origin === 'null')
    return site === 'same-origin' || (site === 'none' && origin === undefined);
  return ownHosts.includes(urlOf(origin)?.host ?? '');
};

const foreignForm = (): ApiError =>
  new ApiError('forbidden', 'This form was sent by a page of another site. Open the sign-in’s own page.');

const MAX_BODY_BYTES = 16 * 1024;

export const sendPage = (response: ServerResponse, { html, headers }: Page, status = 200): void => {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(html) }).end(html);
};

export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })
    .end(text);
};

/** Answers with the one shape of every error body. */
const sendError = (request: IncomingMessage, response: ServerResponse, error: ApiError): void => {
  // The server in front may have named the request already.
  const named = response.getHeader('X-Request-Id');
  const requestId =
    typeof named === 'string' ? named : readRequestIds(request.headers['x-request-id']).requestId;
  sendJson(response, error.status, errorBody(error, requestId), {
    ...error.headers,
    'X-Request-Id': requestId,
  });
};

const readBody = async (request: IncomingMessage, type: string): Promise<string> => {
  if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== type) {
    throw new ApiError('unsupported_media_type', `Send the body as ${type}.`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new ApiError('too_large', `The body is larger than ${MAX_BODY_BYTES / 1024} KiB.`, {
        headers: { Connection: 'close' },
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** The fields of an HTML form's body. */
export const readForm = async (request: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams(await readBody(request, 'application/x-www-form-urlencoded'));

/** The members of a JSON object's body. */
export const readObject = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const text = await readBody(request, 'application/json');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', 'The body is no JSON.');
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Readonly<Record<string, unknown>>;
  }
  throw validationFailed([{ path: '', rule: 'object', message: 'The body must be a JSON object.' }]);
};

/** Answers what a mounted handler throws: an `ApiError` as it is, anything else as `failed` once it is reported. */
export const answerErrors = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Promise<void>,
  {
    onError,
    failed,
  }: { readonly onError: (error: unknown) => void; readonly failed: (error: unknown) => ApiError },
): void => {
  answer.catch((error: unknown) => {
    if (!(error instanceof ApiError) && hasLeft(request)) {
      response.destroy();
      return;
    }
    if (!(error instanceof ApiError)) onError(error);
    if (response.headersSent) response.destroy();
    else sendError(request, response, error instanceof ApiError ? error : failed(error));
  });
};
