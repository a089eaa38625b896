import { expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createLogger } from '../process/log.js';
import { ApiError } from './api-error.js';
import { readRequestIds } from './edge-messages.js';
import { ErrorSink } from './error-sink.js';
import { RateLimits } from './rate-limits.js';

/** The status of each answer to errors, sent to one address after the other. */
const statusesOf = async (sink: ErrorSink, errors: readonly unknown[], ip = '203.0.113.9') => {
  const statuses: number[] = [];
  const fluent = {
    sent: false,
    code: (status: number) => (statuses.push(status), fluent),
    headers: () => fluent,
    type: () => fluent,
    send: async () => undefined,
  };
  const reply = fluent as unknown as FastifyReply;
  const raw = { ids: readRequestIds(undefined) };
  const request = { ip, raw, method: 'GET', routeOptions: {} } as unknown as FastifyRequest;
  for (const error of errors) await sink.send(request, reply, error);
  return statuses;
};

it.each(['missing_token', 'forbidden'] as const)(
  'refusals with %s are limited by address, other errors and other addresses are not',
  async (code) => {
    const sink = new ErrorSink(createLogger('warn'), new RateLimits(true, { refused: 2 }));
    const refusal = new ApiError(code, 'Refused.');
    const other = new ApiError('not_found', 'Not found.');
    expect(await statusesOf(sink, [other, other, other])).toEqual([404, 404, 404]);
    const [first, second, third] = await statusesOf(sink, [refusal, refusal, refusal]);
    expect([first, second]).toEqual([refusal.status, refusal.status]);
    expect(third).toBe(429);
    expect(await statusesOf(sink, [other])).toEqual([404]);
    expect(await statusesOf(sink, [refusal], '203.0.113.10')).toEqual([refusal.status]);
  },
);
