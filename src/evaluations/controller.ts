import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../app/commands/context.js';
import { settle } from '../app/commands/settle.js';
import { type Answer, accepted, ok } from '../app/http/answer.js';
import { notFound } from '../app/http/api-error.js';
import {
  type ListQuery,
  type Query as QueryString,
  readQueryInteger,
  readQueryText,
} from '../app/http/list-query.js';
import { List, Meta, type RequestMeta } from '../app/http/meta.js';
import { staffErrors } from '../app/http/openapi/errors.js';
import { Operation } from '../app/http/openapi/operation.js';
import { integer, objectOf, oneOf, pageOf, uuid } from '../app/http/openapi/schema.js';
import { Reads } from '../app/reads.js';
import { VAULT } from '../app/tokens.js';
import { assertNotErased } from '../candidates/erased.js';
import type { Vault } from '../vault/port.js';
import { EvaluationReads } from './reads/evaluation-reads.js';
import type { EvaluationRecord } from './record.js';
import { RegenerateEvaluation } from './regenerate-evaluation/command.js';
import { evaluationSchema, evaluationSummarySchema } from './schema.js';
import { StaffEvaluations } from './staff-evaluations.js';

const STATUSES = ['generating', 'ready', 'failed'] as const;

@Controller('organisations/:orgId/evaluations')
export class EvaluationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
    private readonly staff: StaffEvaluations,
    private readonly readBy: EvaluationReads,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation({
    tag: 'Evaluations',
    summary: 'List evaluations',
    list: true,
    query: [
      { name: 'roleId', description: 'Only those of this role.', schema: uuid },
      { name: 'status', description: 'Only those that stand so.', schema: oneOf(...STATUSES) },
    ],
    success: {
      status: 200,
      description: 'Summaries, oldest first.',
      schema: pageOf(evaluationSummarySchema()),
    },
    errors: staffErrors(),
  })
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const filter = {
      roleId: readQueryText(query, 'roleId'),
      status: readQueryText(query, 'status', STATUSES),
    };
    return ok(await this.staff.summaries(organisationId, filter, list, meta));
  }

  @Get(':id')
  @StaffMay('evaluations.read')
  @Operation({
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
    errors: ['missing_token', 'forbidden', 'not_found', 'erased', 'unavailable'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<EvaluationRecord>> {
    const generation = readQueryInteger(query, 'generation');
    const found = await this.staff.byId(organisationId, id, meta);
    if (!found) throw noSuchEvaluation();
    await assertNotErased(this.vault, found.document.candidateId);
    const record = await this.staff.record(found, generation, meta);
    if (!record) throw notFound('This evaluation has no such generation.');
    await this.readBy.record({ organisationId, evaluationId: id }, { type: 'staff', id: member.subject });
    return ok(record, { version: record.version });
  }

  @Post(':id/regenerations')
  @HttpCode(202)
  @StaffMay('evaluations.regenerate')
  @Operation({
    tag: 'Evaluations',
    summary: 'Generate an evaluation anew',
    description: 'Asks for the next generation; the former ones stay readable.',
    success: {
      status: 202,
      description: 'The generation that is asked for.',
      schema: objectOf({ evaluationId: uuid, generation: integer, status: oneOf('generating') }),
      headers: ['Location', 'Consistency-Token'],
    },
    conditional: true,
    errors: staffErrors(
      'not_found',
      'evaluation_generating',
      'erased',
      'idempotency_key_reused',
      'conflict',
      'version_mismatch',
    ),
  })
  async regenerate(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const found = await this.staff.settled(() => this.staff.byId(organisationId, id, meta));
    if (!found) throw noSuchEvaluation();
    const context = this.contexts.forStaff(meta, member);
    const done = settle(await this.commands.execute(new RegenerateEvaluation(context, id, found.document)));
    const { generation } = done.state;
    return accepted(
      { evaluationId: id, generation, status: 'generating' },
      {
        location: `/organisations/${organisationId}/evaluations/${id}?generation=${generation}`,
        consistencyToken: this.reads.tokenOf(done.position),
      },
    );
  }
}

const noSuchEvaluation = () => notFound('There is no such evaluation.');
