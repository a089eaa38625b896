import { Controller, Get, Param, Query } from '@nestjs/common';
import { streamName } from '../../core/stream-name.js';
import type { Vault } from '../../vault/port.js';
import { integer } from '../../core/json-schema.js';
import type { History } from '../history/history.js';
import type { Past } from '../history/past.js';
import { type Query as QueryString, readQueryInteger } from '../http/list-query.js';
import type { Freshness } from '../reads.js';
import { assertNotErased } from '../applications/erased.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { atParameter } from '../history/moment.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import type { EvaluationRecord } from './record.js';
import { StaffEvaluations } from './staff-evaluations.js';
import { EvaluationReads } from './evaluation-reads.js';
import { evaluationSchema } from './schema.js';

/** Evaluations of former times, as an organisation's staff see them. */
export class EvaluationHistory {
  constructor(
    private readonly staff: StaffEvaluations,
    private readonly history: History,
    private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  /**
   * @param generation a former one of then, `null` for the latest of then
   * @returns `null`: there was no such evaluation or generation then
   * @throws {ApiError} `validation_failed`, `erased`, `too_far`, `unavailable`
   */
  async read(
    organisationId: string,
    id: string,
    generation: number | null,
    query: QueryString,
    meta: Freshness,
  ): Promise<EvaluationRecord | null> {
    const moment = await this.history.moment(query);
    const fresh = this.history.freshness(moment, meta);
    // What is erased, unknown or another organisation's by now was never there for whoever asks now.
    const present = await this.staff.byId(organisationId, id, fresh);
    if (!present) return null;
    const { trialSessionId, candidateId } = present.document;
    await assertNotErased(this.vault, candidateId);
    const streams = [
      streamName('trial', trialSessionId),
      streamName('evaluation', id),
      streamName('candidate', candidateId),
    ];
    if (await this.history.isPresent(moment, streams)) {
      const record = await this.staff.record(present, generation, fresh);
      // Unless something came between.
      if (await this.history.isPresent(moment, streams)) return record;
    }
    const readings = streams.map((stream) => (past: Past) => past.stream(stream));
    return this.history.goBack(moment, readings, async (reads) => {
      const then = new StaffEvaluations(reads);
      const found = await then.byId(organisationId, id, fresh);
      return found && then.record(found, generation, fresh);
    });
  }
}

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
