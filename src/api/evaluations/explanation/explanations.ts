import { evaluationResultId, evaluationResults } from '../../../../projections/evaluation-results.js';
import { ApiError, notFound } from '../../http/api-error.js';
import type { Freshness, Reads } from '../../reads.js';
import type { FoundEvaluation } from '../staff-evaluations.js';
import { type Explanation, explanationOf } from './explanation.js';

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
