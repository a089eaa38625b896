import { Controller, Get, Inject } from '@nestjs/common';
import { Public } from '../../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { ApiError, type ErrorDetail, RETRY_AFTER_SECONDS } from '../http/api-error.js';
import { Operation } from '../http/openapi/operation.js';
import { flag, listOf, objectOf, oneOf, text } from '../http/openapi/schema.js';
import { type ComponentHealth, Health } from './health.js';

const componentSchema = objectOf({ name: text, ready: flag, problem: text, figures: { type: 'object' } }, [
  'problem',
  'figures',
]);

@Controller('health')
export class HealthController {
  constructor(@Inject(Health) private readonly health: Health) {}

  @Get('live')
  @Public()
  @Operation({
    tag: 'Operations',
    summary: 'Whether the process runs',
    success: { status: 200, description: 'It runs.', schema: objectOf({ status: oneOf('live') }) },
    errors: [],
  })
  live(): Answer {
    return ok({ status: 'live' });
  }

  @Get('ready')
  @Public()
  @Operation({
    tag: 'Operations',
    summary: 'Whether the service can be sent requests',
    description: 'Looks at the stores and at how far the views have come.',
    success: {
      status: 200,
      description: 'It can.',
      schema: objectOf({ status: oneOf('ready'), components: listOf(componentSchema) }),
    },
    errors: ['unavailable'],
  })
  async ready(): Promise<Answer> {
    const components = await this.health.components();
    const details = components.filter(({ ready }) => !ready).map(problem);
    if (details.length === 0) return ok({ status: 'ready', components });
    throw new ApiError('unavailable', 'The service is not ready for requests.', {
      details,
      headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
    });
  }
}

const problem = ({ name, problem: sentence }: ComponentHealth): ErrorDetail => ({
  path: name,
  rule: 'ready',
  message: sentence ?? `${name} is not ready.`,
});
