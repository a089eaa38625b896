import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { EVALUATION_STATUSES } from '../../../projections/evaluations.js';
import { flag, integer, oneOf, pageOf, uuid } from '../../core/json-schema.js';
import { VAULT } from '../../process/tokens.js';
import type { Vault } from '../../vault/port.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { type Answer, json, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { inPieces } from '../http/in-pieces.js';
import {
  type ListQuery,
  type Query as QueryString,
  readQueryFlag,
  readQueryInteger,
  readQueryText,
  readSort,
  sortValues,
} from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { assertNotErased } from '../applications/erased.js';
import { EvaluationReads } from './evaluation-reads.js';
import { evaluationSchema, evaluationSummarySchema } from './schema.js';
import { EVALUATION_ORDERS, StaffEvaluations } from './staff-evaluations.js';

@Controller('organisations/:orgId/evaluations')
export class EvaluationsController {
  constructor(
    private readonly staff: StaffEvaluations,
    private readonly readBy: EvaluationReads,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation({
    id: 'evaluations.list',
    tag: 'Evaluations',
    summary: 'List evaluations',
    list: true,
    query: [
      { name: 'roleId', description: 'Only those of this role.', schema: uuid },
      { name: 'status', description: 'Only those of this status.', schema: oneOf(...EVALUATION_STATUSES) },
      {
        name: 'passed',
        description: 'Only those with a result that passed, or that did not.',
        schema: flag,
      },
      {
        name: 'sort',
        description:
          'The order, with `-` the reverse: `completedAt`, when the trial session was completed, unless said; by `overallScore`, those without one stand below all others.',
        schema: oneOf(...sortValues(EVALUATION_ORDERS)),
      },
    ],
    success: {
      status: 200,
      description: 'Summaries, oldest first unless said.',
      schema: pageOf(evaluationSummarySchema()),
    },
  })
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const filter = {
      roleId: readQueryText(query, 'roleId'),
      status: readQueryText(query, 'status', EVALUATION_STATUSES),
      passed: readQueryFlag(query, 'passed'),
    };
    const sort = readSort(query, EVALUATION_ORDERS);
    return ok(await this.staff.summaries(organisationId, filter, sort, list, meta));
  }

  @Get(':id')
  @StaffMay('evaluations.read')
  @Operation({
    id: 'evaluations.read',
    tag: 'Evaluations',
    summary: 'Read an evaluation',
    description: 'While it is being generated: no scores, and the evidence as far as it is known.',
    query: [
      { name: 'generation', description: 'A former generation in place of the latest.', schema: integer },
    ],
    success: {
      status: 200,
      description: 'The evaluation.',
      schema: evaluationSchema(),
      headers: ['ETag'],
    },
    errors: { exactly: ['missing_token', 'forbidden', 'not_found', 'erased', 'unavailable'] },
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const generation = readQueryInteger(query, 'generation');
    const found = await this.staff.byId(organisationId, id, meta);
    if (!found) throw notFound('There is no such evaluation.');
    const notErased = () => assertNotErased(this.vault, found.document.candidateId);
    await notErased();
    const written = await this.staff.inPieces(found, generation, meta, notErased);
    if (!written) throw notFound('This evaluation has no such generation.');
    const body = await inPieces(written.pieces);
    await this.readBy.record({ organisationId, evaluationId: id }, { type: 'staff', id: member.subject });
    return json(body, { version: written.version });
  }
}
