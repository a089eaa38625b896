import type { IncomingMessage, ServerResponse } from 'node:http';
import { urlOf } from '../core/text.js';
import { ApiError, validationFailed } from '../http/api-error.js';
import type { Page } from '../http/page.js';

/**
 * Refuses a form that another site has sent, which could sign the reader in as another person, or out.
 * @param ownHosts hosts with their ports
 * @throws {ApiError} `forbidden`: a page of another origin sent the form
 */
export const refuseForeignForm = (request: IncomingMessage, ownHosts: readonly string[]): void => {
  if (request.method === 'POST' && !isOfOrigin(request, ownHosts))
    throw new ApiError(
      'forbidden',
      'This form was sent by a page of another site. Open the sign-in’s own page.',
    );
};

/**
 * Whether a request is not from another site. Programs send neither header. If a privacy setting hides the origin,
 * browsers still send `Sec-Fetch-Site`.
 */
const isOfOrigin = ({ headers }: IncomingMessage, hosts: readonly string[]): boolean => {
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  if (origin === undefined || origin === 'null')
    return site === 'same-origin' || (site === 'none' && origin === undefined);
  return hosts.includes(urlOf(origin)?.host ?? '');
};

/** Largest body of a form or a call, in bytes. */
const MAX_BODY_BYTES = 16 * 1024;

/** Sends a page with its headers. */
export const sendPage = (response: ServerResponse, { html, headers }: Page, status = 200): void => {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(html) }).end(html);
};

/** Redirects the browser, also after a form, to a GET (303). */
export const redirect = (response: ServerResponse, location: string): void =>
  void response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();

/** @throws {ApiError} the body has another media type, or is larger than `MAX_BODY_BYTES` */
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

/** Reads the fields of an HTML form from the body. @throws {ApiError} it is not a form, or too large */
export const readForm = async (request: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams(await readBody(request, 'application/x-www-form-urlencoded'));

/** Reads a JSON object from the body. @throws {ApiError} it is not a JSON object, or too large */
export const readObject = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const text = await readBody(request, 'application/json');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid JSON.');
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Readonly<Record<string, unknown>>;
  }
  throw validationFailed([{ path: '', rule: 'object', message: 'The body must be a JSON object.' }]);
};
