import { Controller, Get, Module, Param, Query } from '@nestjs/common';
import { Reads } from '../../application/reads.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, json } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import type { Query as QueryString } from '../../http/list-query.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { HistoryModule } from '../history/history.js';
import { atParameter } from '../history/moment.js';
import { SignalHistory } from './read-history.js';
import { readSummary, SignalSummary, writeSummary } from './signal.js';

const signalOperations = {
  read: {
    id: 'signal.read',
    tag: 'Signal',
    summary: 'Read the signal summary',
    description: 'Counts per role and in total.',
    success: answersRecord('The signal summary.', SignalSummary),
    oneByOne: [401, 403],
  },
} satisfies Operations;

@Controller('organisations/:orgId/signal')
export class SignalController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('signal.read')
  @Operation(signalOperations.read)
  async read(@Param('orgId') organisationId: string, @Meta() meta: RequestMeta): Promise<Answer> {
    const { summary } = await readSummary(this.reads, organisationId, meta);
    const { body, tag } = writeSummary(summary);
    return json(body, { tag });
  }
}

const signalHistoryOperations = {
  read: {
    id: 'signal.readPast',
    tag: 'Signal',
    summary: 'Read the signal summary as it stood',
    description:
      'The same summary as it stood at a time, roles under the names that they had then, folded from the log. Before there was the organisation it is not found.',
    query: [atParameter],
    success: { status: 200, description: 'The signal summary of then.', schema: SignalSummary },
    errors: ['not_found', 'too_far'],
  },
} satisfies Operations;

@Controller('organisations/:orgId/signal/history')
export class SignalHistoryController {
  constructor(private readonly history: SignalHistory) {}

  @Get()
  @StaffMay('signal.read')
  @Operation(signalHistoryOperations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const then = await this.history.read(organisationId, query, meta);
    if (!then) throw notFound('This organisation did not exist then.');
    return json(writeSummary(then).body);
  }
}

@Module({
  imports: [HistoryModule],
  controllers: [SignalController, SignalHistoryController],
  providers: [SignalHistory],
})
export class SignalModule {}
