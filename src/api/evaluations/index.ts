import type { Parts } from '../commands.js';
import { ExplanationController } from './explanation/controller.js';
import { EvaluationHistoryController } from './history/controller.js';
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
