import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { integer } from '../../core/json-schema.js';
import { VAULT } from '../../process/tokens.js';
import type { Vault } from '../../vault/port.js';
import { ApiError, notFound } from '../http/api-error.js';
import type { Freshness, Reads } from '../reads.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { type Answer, ok } from '../http/answer.js';
import { type Query as QueryString, readQueryInteger } from '../http/list-query.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { assertNotErased } from '../applications/erased.js';
import { type FoundEvaluation, StaffEvaluations } from './staff-evaluations.js';
import { type Explanation, explanationOf, explanationSchema } from './explanation.js';
import { EvaluationReads } from './evaluation-reads.js';

/** Explanations of evaluations that were found. */
export class EvaluationExplanations {
  constructor(private readonly reads: Reads) {}

  /**
   * @param generation a former one, `null` for the latest
   * @throws {ApiError} `not_found`: there is none of that number; `evaluation_generating`, `evaluation_not_ready`
   */
  async read(
    { document, position }: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
  ): Promise<Explanation> {
    const asked = generation ?? document.generation;
    if (asked > document.generation) throw noSuchGeneration();
    if (asked === document.generation && document.status === 'generating')
      throw new ApiError(
        'evaluation_generating',
        'The evaluation is being generated: there is nothing to explain until it is ready.',
      );
    const id = evaluationResultId(document.evaluationId, asked);
    // Composed of two views: the figures may not lag behind the evaluation that says that they are there.
    const found = await this.reads.getAt(evaluationResults, id, position, freshness);
    if (!found) throw noSuchGeneration();
    const { result } = found.document;
    if (result === null) throw failed(asked, document.readyGeneration);
    return explanationOf(found.document, result);
  }
}

const noSuchGeneration = (): ApiError => notFound('This evaluation has no such generation.');

const failed = (generation: number, ready: number | null): ApiError => {
  const other = ready === null ? '' : ` Generation ${ready} is the last one that became ready.`;
  return new ApiError(
    'evaluation_not_ready',
    `Generation ${generation} of this evaluation failed: there is nothing to explain.${other}`,
  );
};

@Controller('organisations/:orgId/evaluations/:id/explanation')
export class ExplanationController {
  constructor(
    private readonly staff: StaffEvaluations,
    private readonly explanations: EvaluationExplanations,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly readBy: EvaluationReads,
  ) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation({
    id: 'explanation.read',
    tag: 'Evaluations',
    summary: 'Read how each figure of an evaluation came about',
    description:
      'The arithmetic from signals, weights and sub-scores to each score and the overall figure, with the evidence quoted. The contributions of a list of terms sum to its `exact`, which rounded half up is the score.',
    query: [
      { name: 'generation', description: 'A former generation in place of the latest.', schema: integer },
    ],
    success: {
      status: 200,
      description: 'The explanation.',
      schema: explanationSchema(),
      headers: ['ETag'],
    },
    errors: ['not_found', 'evaluation_generating', 'evaluation_not_ready', 'erased'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<Explanation>> {
    const generation = readQueryInteger(query, 'generation');
    const found = await this.staff.byId(organisationId, id, meta);
    if (!found) throw notFound('There is no such evaluation.');
    await assertNotErased(this.vault, found.document.candidateId);
    const explanation = await this.explanations.read(found, generation, meta);
    await this.readBy.record({ organisationId, evaluationId: id }, { type: 'staff', id: member.subject });
    return ok(explanation, { version: found.document.version });
  }
}
