import { Controller, Get, Param, Query } from '@nestjs/common';
import { StaffMay } from '../../access/access.decorator.js';
import { atParameter } from '../../history/moment.js';
import { type Answer, json } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import type { Query as QueryString } from '../../http/list-query.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation } from '../../openapi/operation.js';
import { signalBody, signalSchema } from '../record.js';
import { SignalHistory } from './signal-history.js';

@Controller('organisations/:orgId/signal/history')
export class SignalHistoryController {
  constructor(private readonly history: SignalHistory) {}

  @Get()
  @StaffMay('signal.read')
  @Operation({
    id: 'signalHistory.read',
    tag: 'Signal',
    summary: 'Read the signal summary as it stood',
    description:
      'The same summary as it stood at a time, roles under the names that they had then, folded from the log. Before there was the organisation it is not found.',
    query: [atParameter],
    success: { status: 200, description: 'The signal summary of then.', schema: signalSchema() },
    errors: ['not_found', 'too_far'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const then = await this.history.read(organisationId, query, meta);
    if (!then) throw notFound('This organisation did not exist then.');
    return json(signalBody(then));
  }
}
