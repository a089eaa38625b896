import { Controller, Get, Param } from '@nestjs/common';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, json } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import { signalBody, signalSchema } from './record.js';
import { readSummary } from './summary.js';

@Controller('organisations/:orgId/signal')
export class SignalController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('signal.read')
  @Operation({
    id: 'signal.read',
    tag: 'Signal',
    summary: 'Read the signal summary',
    description: 'Counts per role and in total.',
    success: { status: 200, description: 'The signal summary.', schema: signalSchema() },
    errors: { exactly: ['missing_token', 'forbidden', 'unavailable'] },
  })
  async read(@Param('orgId') organisationId: string, @Meta() meta: RequestMeta): Promise<Answer> {
    const { summary } = await readSummary(this.reads, organisationId, meta);
    return json(signalBody(summary));
  }
}
