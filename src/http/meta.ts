import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { requestIdsOf } from './edge-messages.js';
import { readConsistencyToken, readIdempotencyKey, readIfMatch } from './headers.js';
import type { ListQuery } from '../application/reads.js';
import { type Query, readListQuery } from './list-query.js';

/** What a handler needs to know of the request beside its path, query and checked body. */
export interface RequestMeta {
  /** Ours, for the events that the request leads to. */
  readonly correlationId: string;
  readonly method: string;
  /** The full path as it was sent, query included. */
  readonly path: string;
  /** `null` where there is none, and on anything but a POST. */
  readonly idempotencyKey: string | null;
  /** The version that must be the current one; `null`: none is named. */
  readonly ifMatch: number | null;
  /** The header as it was sent: what the caller has already. */
  readonly ifNoneMatch: string | undefined;
  /** As it was sent: whether it can be read is the reader's to find out. */
  readonly consistencyToken: string | null;
  /** The body as it was parsed, unchecked; `undefined` without one. */
  readonly body: unknown;
  /** Whether the client has closed its connection: nobody reads the answer. */
  readonly isGone: () => boolean;
}

/** @throws {ApiError} a header is wrong */
export const requestMeta = (request: FastifyRequest): RequestMeta => {
  const { headers, method } = request;
  return {
    correlationId: requestIdsOf(request.raw).correlationId,
    method,
    path: request.url,
    idempotencyKey: method === 'POST' ? readIdempotencyKey(headers['idempotency-key']) : null,
    ifMatch: readIfMatch(headers['if-match']),
    ifNoneMatch: headers['if-none-match'],
    consistencyToken: readConsistencyToken(headers['consistency-token']),
    body: request.body,
    isGone: () => request.raw.socket.destroyed,
  };
};

const request = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest();

/** The request's `RequestMeta`. */
export const Meta = createParamDecorator((_: unknown, context: ExecutionContext): RequestMeta =>
  requestMeta(request(context)),
);

/** The request's `ListQuery`. */
export const List = createParamDecorator((_: unknown, context: ExecutionContext): ListQuery =>
  readListQuery(request(context).query as Query),
);
