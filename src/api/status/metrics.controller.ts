import { Controller, Get, Inject } from '@nestjs/common';
import { Public } from '../access/access.decorator.js';
import { Answer } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { Type } from '../../core/json-schema.js';
import { Metrics } from '../../process/metrics.js';

@Controller('metrics')
export class MetricsController {
  constructor(@Inject(Metrics) private readonly metrics: Metrics) {}

  @Get()
  @Public()
  @Operation({
    id: 'metrics.read',
    tag: 'Operations',
    summary: 'Figures for Prometheus',
    success: {
      status: 200,
      description: 'In the text exposition format.',
      schema: Type.String(),
      contentType: 'text/plain',
    },
  })
  async read(): Promise<Answer<string>> {
    const { registry } = this.metrics;
    return new Answer(200, await registry.metrics(), { headers: { 'Content-Type': registry.contentType } });
  }
}
