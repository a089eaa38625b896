import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentMember, StaffMay } from '../../access/access.decorator.js';
import type { Member } from '../../access/caller.js';
import { atParameter } from '../../history/moment.js';
import { type Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { type Query as QueryString, readQueryInteger } from '../../http/list-query.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation } from '../../openapi/operation.js';
import { integer } from '../../../core/json-schema.js';
import { EvaluationReads } from '../evaluation-reads.js';
import type { EvaluationRecord } from '../record.js';
import { evaluationSchema } from '../schema.js';
import { EvaluationHistory } from './evaluation-history.js';

@Controller('organisations/:orgId/evaluations/:id/history')
export class EvaluationHistoryController {
  constructor(
    private readonly history: EvaluationHistory,
    private readonly readBy: EvaluationReads,
  ) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation({
    id: 'evaluationHistory.read',
    tag: 'Evaluations',
    summary: 'Read an evaluation as it stood',
    description:
      'The same record as it stood at a time, with the evidence that there was by then, folded from the log. Before there was the evaluation it is not found; what was erased since is erased for former times too.',
    query: [
      atParameter,
      {
        name: 'generation',
        description: 'A generation before the latest of then, in its place.',
        schema: integer,
      },
    ],
    success: {
      status: 200,
      description: 'The evaluation of then.',
      schema: evaluationSchema(),
      headers: ['ETag'],
    },
    errors: ['not_found', 'erased', 'too_far'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<EvaluationRecord>> {
    const generation = readQueryInteger(query, 'generation');
    const then = await this.history.read(organisationId, id, generation, query, meta);
    if (!then) throw notFound('There was no such evaluation then.');
    await this.readBy.record({ organisationId, evaluationId: id }, { type: 'staff', id: member.subject });
    return ok(then, { version: then.version });
  }
}
