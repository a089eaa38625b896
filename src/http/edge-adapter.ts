import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Answer } from './answer.js';
import { entityTag, hasAlready } from './headers.js';

const NOT_MODIFIED = 304;

/** Lets controllers answer with `Answer`, and leaves errors to the edge: see `createFastify`. */
export class EdgeAdapter extends FastifyAdapter {
  /** Middleware by route is not used here (decision 8), so the plugin that runs it is left out. */
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
    if (!(body instanceof Answer)) return super.reply(response, body, status);
    return write(response as FastifyReply, body);
  }
}

const write = (reply: FastifyReply, answer: Answer): FastifyReply => {
  const { version, location, consistencyToken, headers } = answer.options;
  reply.code(answer.status);
  if (headers) reply.headers(headers);
  if (answer.contentType !== null) reply.header('Content-Type', answer.contentType);
  if (location !== undefined) reply.header('Location', location);
  if (consistencyToken !== undefined) reply.header('Consistency-Token', consistencyToken);
  const tag = version === undefined ? answer.options.tag : entityTag(version);
  if (tag !== undefined) {
    reply.header('ETag', tag);
    const { method, headers: given } = reply.request;
    if ((method === 'GET' || method === 'HEAD') && hasAlready(given['if-none-match'], tag)) {
      return reply.code(NOT_MODIFIED).send();
    }
  }
  return reply.send(answer.body);
};
