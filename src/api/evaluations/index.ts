import type { Parts } from '../commands.js';
import { ExplanationController } from './read-explanation.js';
import { EvaluationHistoryController } from './read-history.js';
import { EvaluationReadsController } from './list-reads.js';
import { EvaluationsController } from './read-evaluations.js';
import { RegenerateEvaluationController, RegenerateEvaluationHandler } from './regenerate-evaluation.js';

export const evaluationParts: Parts = {
  controllers: [
    EvaluationsController,
    RegenerateEvaluationController,
    ExplanationController,
    EvaluationHistoryController,
    EvaluationReadsController,
  ],
  providers: [RegenerateEvaluationHandler],
};
