import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CommandFailed } from '../application/use-case.js';
import type { Logger } from '../process/log.js';
import { ApiError, errorBody } from './api-error.js';
import { countedAddress } from './counted-address.js';
import { hasLeft, requestIdsOf } from './edge-messages.js';
import { rateLimited, type RateLimits } from './rate-limits.js';
import { toApiError } from './to-api-error.js';

/** Answers all errors of the application with an `ErrorBody`, and logs those with a status of 500 or more. */
export class ErrorSink {
  constructor(
    private readonly logger: Logger,
    private readonly limits: RateLimits,
  ) {}

  async send(request: FastifyRequest, reply: FastifyReply, thrown: unknown): Promise<void> {
    if (reply.sent) return;
    const error = await this.limited(request, toApiError(thrown));
    if (error.status >= 500 && !hasLeft(request.raw))
      this.record(request, error, thrown instanceof CommandFailed ? thrown.command : undefined);
    // If the connection were closed at once, a sender in the middle of its body would not read the answer. Without the
    // header the rest of the body is read and dropped, for as long as a request may take.
    if (error.code === 'too_large') reply.removeHeader('connection');
    await reply
      .code(error.status)
      .headers(error.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(error, requestIdsOf(request.raw).requestId)));
  }

  /** Counts a refusal with 401 or 403 for the client's address. Returns 429 instead if the limit is exceeded. */
  private async limited(request: FastifyRequest, error: ApiError): Promise<ApiError> {
    if (!this.limits.enabled || (error.status !== 401 && error.status !== 403)) return error;
    const usage = await this.limits.count('refused', countedAddress(request.ip));
    return usage.exceeded ? rateLimited(usage) : error;
  }

  /** @param command the name of the command that failed; `undefined`: the request failed outside a command */
  private record(request: FastifyRequest, error: ApiError, command: string | undefined): void {
    const { method } = request;
    const { requestId, correlationId } = requestIdsOf(request.raw);
    const route = request.routeOptions.url ?? 'unmatched';
    const line = { requestId, correlationId, method, route, command, code: error.code };
    const err = error.cause ?? error;
    if (error.status === 503)
      this.logger.warn({ ...line, err: withoutStack(err) }, 'A request could not be served.');
    else this.logger.error({ ...line, err }, 'A request failed.');
  }
}

/** Removes the stack trace of an error about an unavailable dependency, which is no fault of the code. */
const withoutStack = (error: unknown): unknown =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        ...('code' in error && { code: error.code }),
        ...(error.cause !== undefined && { cause: withoutStack(error.cause) }),
      }
    : error;

/** Catches what guards, pipes and handlers throw. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly sink: ErrorSink) {}

  catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    return this.sink.send(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), thrown);
  }
}
