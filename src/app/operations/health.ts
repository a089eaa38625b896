import { Controller, Get, Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { Public } from '../../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { ApiError, type ErrorDetail, RETRY_AFTER_SECONDS } from '../http/api-error.js';
import { Operation } from '../http/openapi/operation.js';
import { flag, listOf, objectOf, oneOf, text } from '../http/openapi/schema.js';

/** How one part of the service is. */
export interface ComponentHealth {
  readonly name: string;
  readonly ready: boolean;
  /** A sentence where it is not: what is wrong. */
  readonly problem?: string;
  /** Figures worth knowing, a view's lag for one. */
  readonly figures?: Readonly<Record<string, number | string | boolean | null>>;
}

/** A part of the service that knows how it is: a store, the views. */
export interface HealthSource {
  readonly name: string;
  check(): Promise<readonly ComponentHealth[]>;
}

/** Injection token of the `HealthSource`s, a list. */
export const HEALTH_SOURCES = Symbol('HealthSources');

const PATIENCE_MS = 2_000;

/** A source that fails or takes too long is not ready; what it says of itself then is for the log. */
const checked = async (source: HealthSource): Promise<readonly ComponentHealth[]> => {
  const stop = new AbortController();
  const late = wait(PATIENCE_MS, null, { signal: stop.signal }).catch(() => null);
  const answer = source.check().catch(() => null);
  const components = await Promise.race([answer, late]);
  stop.abort();
  return components ?? [{ name: source.name, ready: false, problem: `${source.name} does not answer.` }];
};

@Injectable()
export class Health {
  constructor(@Inject(HEALTH_SOURCES) private readonly sources: readonly HealthSource[]) {}

  async components(): Promise<readonly ComponentHealth[]> {
    return (await Promise.all(this.sources.map(checked))).flat();
  }
}

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
