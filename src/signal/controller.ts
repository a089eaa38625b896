import { Controller, Get, Param } from '@nestjs/common';
import { signal } from '../../projections/signal.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, json } from '../app/http/answer.js';
import { Meta, type RequestMeta } from '../app/http/meta.js';
import { Operation } from '../app/http/openapi/operation.js';
import { Reads } from '../app/reads.js';
import { EMPTY, signalSchema, signalBody } from './record.js';

@Controller('organisations/:orgId/signal')
export class SignalController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('signal.read')
  @Operation({
    tag: 'Signal',
    summary: 'Read the signal summary',
    description: 'Counts per role and in total.',
    success: { status: 200, description: 'The signal summary.', schema: signalSchema() },
    errors: ['missing_token', 'forbidden', 'unavailable'],
  })
  async read(@Param('orgId') organisationId: string, @Meta() meta: RequestMeta): Promise<Answer> {
    const found = await this.reads.get(signal, organisationId, meta);
    return json(signalBody(found?.document ?? EMPTY));
  }
}
