import { Controller, Get, Inject, Module } from '@nestjs/common';
import { Named, Type } from '../../core/json-schema.js';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { ApiError, notFound, RETRY_AFTER_SECONDS } from '../../http/api-error.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { Health } from '../../process/health.js';
import type { Metrics } from '../../process/metrics.js';

const healthOperations = {
  live: {
    id: 'health.live',
    tag: 'Operations',
    summary: 'Whether the process runs',
    success: {
      status: 200,
      description: 'It runs.',
      schema: Named('Liveness', { status: Type.Literal('live') }),
    },
  },
  ready: {
    id: 'health.ready',
    tag: 'Operations',
    summary: 'Whether the service can be sent requests',
    description:
      'Checks the stores and the views. The answer has no details: anyone may ask. Operators read them on `HEALTH_PORT`.',
    success: {
      status: 200,
      description: 'It can.',
      schema: Named('Readiness', { status: Type.Literal('ready') }),
    },
  },
} satisfies Operations;

@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  @Public()
  @Operation(healthOperations.live)
  live(): Answer {
    return ok({ status: 'live' });
  }

  @Get('ready')
  @Public()
  @Operation(healthOperations.ready)
  async ready(): Promise<Answer> {
    const components = await this.health.components();
    if (components.every(({ ready }) => ready)) return ok({ status: 'ready' });
    throw new ApiError('unavailable', 'The service is not ready for requests.', {
      headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
    });
  }
}

/** Injection token of the metrics that the API shows; `null`: they are for operators alone, on `HEALTH_PORT`. */
export const PUBLIC_METRICS = Symbol('PublicMetrics');

const metricsOperations = {
  read: {
    id: 'metrics.read',
    tag: 'Operations',
    summary: 'Figures for Prometheus',
    description: 'Where `HEALTH_PORT` is set, they are on that port alone, and this path answers 404.',
    success: {
      status: 200,
      description: 'In the text exposition format.',
      schema: Type.String(),
      contentType: 'text/plain',
    },
    errors: ['not_found'],
  },
} satisfies Operations;

@Controller('metrics')
export class MetricsController {
  constructor(@Inject(PUBLIC_METRICS) private readonly metrics: Metrics | null) {}

  @Get()
  @Public()
  @Operation(metricsOperations.read)
  async read(): Promise<Answer<string>> {
    if (this.metrics === null) throw notFound();
    const { registry } = this.metrics;
    return new Answer(200, await registry.metrics(), { headers: { 'Content-Type': registry.contentType } });
  }
}

@Module({ controllers: [HealthController, MetricsController] })
export class StatusModule {}
