import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { Readable } from 'node:stream';
import { EVALUATION_STATUSES } from '../../../projections/evaluations.js';
import type { Member } from '../../application/caller.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import { RegenerateEvaluation } from '../../application/evaluations/regenerate-evaluation.js';
import { type ListQuery, MAX_COUNTED } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import { actorOf, type RequestContext } from '../../core/command-context.js';
import { Enumeration, Named, Ordinal, pageOf, Type, Uuid } from '../../core/json-schema.js';
import { CurrentMember, StaffMay } from '../../http/access/access.decorator.js';
import { accepted, type Answer, entityTag, hasAlready, json, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import {
  type Query as QueryString,
  numberParameter,
  queryParameter,
  readQuery,
} from '../../http/list-query.js';
import { countsRecord } from '../../http/list-range.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { evaluationAt } from '../../http/openapi/parameters.js';
import type { Vault } from '../../vault/port.js';
import { assertNotErased } from '../applications/staff-applications.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { atParameter } from '../history/moment.js';
import { type EvaluationBody, EvaluationBodies } from './bodies.js';
import { EvaluationExplanations, Explanation } from './explanation.js';
import { EvaluationHistory } from './history.js';
import { EVALUATION_LIST, EVALUATIONS_OF_ROLE, selectedEvaluations } from './list-parameters.js';
import { EvaluationRecord, EvaluationSummary } from './record.js';
import { type FoundEvaluation, StaffEvaluations } from './staff-evaluations.js';
import { EvaluationSummaries, type Showing, WAITING_EVALUATIONS } from './summaries.js';

const RequestedGeneration = Named('RequestedGeneration', {
  evaluationId: Uuid,
  generation: Ordinal,
  status: Type.Literal('generating'),
});

const GENERATION = numberParameter('generation', 'A former generation in place of the latest.');
const THEN_GENERATION = numberParameter(
  'generation',
  'A generation before the latest of then, in its place.',
);
const EvaluationCountsRecord = Named('EvaluationCounts', {
  status: countsRecord('EvaluationsByStatus', EVALUATION_STATUSES),
  passed: countsRecord('EvaluationsByResult', ['true', 'false']),
  waiting: countsRecord('EvaluationsWaiting', WAITING_EVALUATIONS),
});

const SCORES = queryParameter(
  'scores',
  Enumeration('ShownScores', ['dimensions']),
  'With a score for each dimension. What is shown so is recorded as a read of the evaluation, once for each reader and generation.',
);

const EMPTY = Buffer.alloc(0);

const operations = {
  list: {
    id: 'evaluations.list',
    tag: 'Evaluations',
    summary: 'List evaluations',
    list: true,
    query: [...EVALUATION_LIST, SCORES],
    links: evaluationAt('/items/0/id'),
    success: {
      status: 200,
      description: 'Summaries, oldest first by default.',
      schema: pageOf(EvaluationSummary),
    },
  },
  counts: {
    id: 'evaluations.count',
    tag: 'Evaluations',
    summary: 'Count evaluations',
    description: `As many as the lists of each status, result and \`waiting\` have. Where a count is ${MAX_COUNTED}, there may be more.`,
    query: [EVALUATIONS_OF_ROLE],
    success: { status: 200, description: 'The counts.', schema: EvaluationCountsRecord },
  },
  read: {
    id: 'evaluations.read',
    tag: 'Evaluations',
    summary: 'Read an evaluation',
    description: 'While it is being generated: no scores, and the evidence as far as it is known.',
    query: [GENERATION],
    success: {
      status: 200,
      description: 'The evaluation.',
      schema: EvaluationRecord,
      headers: ['ETag'],
    },
    errors: ['erased'],
    separateStatuses: [401, 403, 404, 410],
  },
  regenerate: {
    id: 'evaluations.regenerate',
    tag: 'Evaluations',
    summary: 'Regenerate an evaluation',
    description: 'Requests the next generation; the former ones stay readable.',
    links: evaluationAt('/evaluationId'),
    success: {
      status: 202,
      description: 'The requested generation.',
      schema: RequestedGeneration,
      headers: ['Location'],
    },
    conditional: true,
    errors: ['evaluation_generating', 'erased'],
  },
  explanation: {
    id: 'evaluations.explain',
    tag: 'Evaluations',
    summary: 'Explain each figure of an evaluation',
    description:
      'The arithmetic from signals, weights and sub-scores to each score and the overall figure, with the evidence quoted. The contributions of a list of terms sum to its `exact`, which rounded half up is the score.',
    query: [GENERATION],
    success: {
      status: 200,
      description: 'The explanation.',
      schema: Explanation,
      headers: ['ETag'],
    },
    errors: ['evaluation_generating', 'evaluation_not_ready', 'erased'],
  },
  past: {
    id: 'evaluations.readPast',
    tag: 'Evaluations',
    summary: 'Read a former state of an evaluation',
    description:
      'The evaluation at a time, with its evidence up to then, folded from the log. Before the evaluation began it is not found. What was erased since is erased from former states too.',
    query: [atParameter, THEN_GENERATION],
    success: {
      status: 200,
      description: 'The evaluation of then.',
      schema: EvaluationRecord,
      headers: ['ETag'],
    },
    errors: ['erased', 'too_far'],
  },
} satisfies Operations;

@Controller('organisations/:orgId/evaluations')
export class EvaluationsController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffEvaluations,
    private readonly lists: EvaluationSummaries,
    private readonly bodies: EvaluationBodies,
    private readonly explanations: EvaluationExplanations,
    private readonly history: EvaluationHistory,
    private readonly readRecorder: EvaluationReadRecorder,
    @Inject(VAULT) private readonly vault: Vault,
  ) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const shown: Showing | null =
      readQuery(query, SCORES) === null ? null : { to: actorOf(member), recorded: 'once' };
    return ok(await this.lists.selected(organisationId, selectedEvaluations(query), shown, list, meta));
  }

  @Get(':id')
  @StaffMay('evaluations.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const generation = readQuery(query, GENERATION);
    const found = await this.staff.outline(organisationId, id, meta);
    const written = await this.bodyUnlessUnchanged(found, generation, meta, member);
    if (!written) throw notFound('This evaluation has no such generation.');
    try {
      await this.readRecorder.record({ organisationId, evaluationId: id }, actorOf(member));
    } catch (error) {
      if (written.body instanceof Readable) written.body.destroy();
      throw error;
    }
    const isUnsettled = found.document.status === 'generating';
    return json(written.body, { version: written.version, isUnsettled });
  }

  /**
   * The evaluation's JSON; an empty body if the caller has the latest generation already, since the answer is then 304.
   * While a generation is generated, evidence may arrive that its version does not count: such an answer is never 304.
   * @returns `null`: there is no such generation
   */
  private async bodyUnlessUnchanged(
    found: FoundEvaluation,
    generation: number | null,
    meta: RequestMeta,
    { subject }: Member,
  ): Promise<EvaluationBody | null> {
    const { version, candidateId, generation: latest, status } = found.document;
    const isLatest = generation === null || generation === latest;
    if (!isLatest || status === 'generating' || !hasAlready(meta.ifNoneMatch, entityTag(version)))
      return this.bodies.bodyOf(found, generation, meta, subject);
    await assertNotErased(this.vault, candidateId);
    return { version, body: EMPTY };
  }

  @Post(':evaluationId/regenerations')
  @StaffMay('evaluations.regenerate')
  @Operation(operations.regenerate)
  async regenerate(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const found = await this.staff.reference(organisationId, id, meta);
    const command = new RegenerateEvaluation(context, {
      evaluationId: id,
      application: found.document,
    });
    const { state, consistencyToken } = await this.commands.execute(command);
    const { generation } = state;
    const location = `/organisations/${organisationId}/evaluations/${id}?generation=${generation}`;
    return accepted({ evaluationId: id, generation, status: 'generating' }, { location, consistencyToken });
  }

  @Get(':evaluationId/explanation')
  @StaffMay('evaluations.read')
  @Operation(operations.explanation)
  async explanation(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<Explanation>> {
    const generation = readQuery(query, GENERATION);
    const found = await this.staff.outline(organisationId, id, meta);
    await assertNotErased(this.vault, found.document.candidateId);
    const explanation = await this.explanations.read(found, generation, meta);
    await this.readRecorder.record({ organisationId, evaluationId: id }, actorOf(member));
    return ok(explanation, { version: found.document.version });
  }

  @Get(':evaluationId/history')
  @StaffMay('evaluations.read')
  @Operation(operations.past)
  async past(
    @Param('orgId') organisationId: string,
    @Param('evaluationId') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<EvaluationRecord>> {
    const generation = readQuery(query, THEN_GENERATION);
    const then = await this.history.read(organisationId, id, generation, query, meta);
    if (!then) throw notFound('There was no such evaluation then.');
    await this.readRecorder.record({ organisationId, evaluationId: id }, actorOf(member));
    return ok(then, { version: then.version });
  }
}

@Controller('organisations/:orgId/evaluation-counts')
export class EvaluationCountsController {
  constructor(private readonly lists: EvaluationSummaries) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation(operations.counts)
  async counts(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    return ok(await this.lists.counts(organisationId, readQuery(query, EVALUATIONS_OF_ROLE), meta));
  }
}
